// An empty module in place of packages that must not be bundled.
export default {};
