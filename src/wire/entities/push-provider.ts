/** Push services and the results of checking them (specification/admin.md §6). */

export const PUSH_PROVIDER_TYPES = ["apn", "firebase", "huawei", "xiaomi"] as const;
type PushProviderType = (typeof PUSH_PROVIDER_TYPES)[number];

/** Has further fields for credentials; secrets are answered as `""`. */
export interface PushProvider {
  type: PushProviderType;
  name: string;
  description?: string;
  disabled_at?: string;
  disabled_reason?: string;
  created_at: string;
  updated_at: string;
  [credential: string]: unknown;
}

export interface CheckPushReply {
  device_errors: Record<string, { provider: string; provider_name: string; error_message: string }>;
  general_errors: string[];
  skip_devices: boolean;
  rendered_apn_template: string;
  rendered_firebase_template: string;
  rendered_message: Record<string, string>;
}

export interface QueueCheck {
  status: "ok" | "error";
  error: string;
  data: Record<string, unknown>;
}
