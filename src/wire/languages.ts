/** The languages that messages are translated to (specification/messages.md §6). */
export const TRANSLATED_LANGUAGES: readonly string[] =
  `af sq am ar az bn bs bg zh zh-TW hr cs da fa-AF nl en et fi fr fr-CA ka de el ha he hi hu id it ja ko lv ms no fa ps
  pl pt ro ru sr sk sl so es es-MX sw sv tl ta th tr uk ur vi lt ht ca cy ga gu hy is kk kn mk ml mn mr mt pa si te uz`
    .trim()
    .split(/\s+/);
