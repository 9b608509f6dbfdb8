// A table of key and token formats by issuer: prefixes and lengths as the issuers document them, limited to those that are
// unlikely in ordinary text.

/** A shape (global) whose first group, or whole, is the secret, and words for it without the secret. */
export type KeyShape = Readonly<{ shape: RegExp; word: string }>;

/** Keys and tokens known by their shape. */
export const secretKeys: readonly KeyShape[] = [
  {
    // A key has several lines of base64 after its header; code that only mentions the header does not. A line such as
    // `Version: 1` is taken to its end or not at all: where it could be cut anywhere, a long one is tried for ever.
    shape:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )?PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r|[\w-]+: [^\n\\]*(?=[\n\\]))+([A-Za-z0-9+/=]{40,})/g,
    word: 'a private key',
  },
  { shape: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g, word: 'an AWS access key' },
  { shape: /aws_secret_access_key["']?\s*[=:]\s*["']?([A-Za-z0-9/+]{40})\b/gi, word: 'an AWS secret key' },
  { shape: /\bgh[pousr]_([A-Za-z0-9]{36,251})\b/g, word: 'a GitHub token' },
  { shape: /\bgithub_pat_([A-Za-z0-9_]{60,})\b/g, word: 'a GitHub token' },
  { shape: /\bglpat-([\w-]{20,})/g, word: 'a GitLab token' },
  { shape: /\bxox[abeprs]-((?:\d+-)+[A-Za-z0-9-]{16,})/g, word: 'a Slack token' },
  { shape: /\bxapp-\d-([A-Z0-9]+-\d+-[a-f0-9]{32,})/g, word: 'a Slack token' },
  {
    shape: /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,})/g,
    word: 'a Slack webhook',
  },
  { shape: /discord(?:app)?\.com\/api\/webhooks\/(\d{17,20}\/[\w-]{60,})/g, word: 'a Discord webhook' },
  { shape: /\bsk-ant-(?:api|oat|ort|admin|sid)\d\d-([\w-]{32,})/g, word: 'an Anthropic key' },
  { shape: /\bsk-(?:proj|svcacct|admin)-([\w-]{40,})/g, word: 'an OpenAI key' },
  { shape: /\bsk-([A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b/g, word: 'an OpenAI key' },
  { shape: /\bsk-or-v1-([a-f0-9]{64})\b/g, word: 'an OpenRouter key' },
  { shape: /\bAIza([\w-]{35})(?![\w-])/g, word: 'a Google API key' },
  { shape: /\bGOCSPX-([\w-]{28})(?![\w-])/g, word: 'a Google client secret' },
  { shape: /\bya29\.([\w-]{60,})/g, word: 'a Google access token' },
  { shape: /\bnpm_([A-Za-z0-9]{36})\b/g, word: 'an npm token' },
  { shape: /\bpypi-(AgEIcHlwaS5vcmc[\w-]{50,})/g, word: 'a PyPI token' },
  { shape: /\b(?:sk|rk)_live_([A-Za-z0-9]{20,})\b/g, word: 'a Stripe key' },
  { shape: /\bwhsec_([A-Za-z0-9+/]{32,})/g, word: 'a webhook signing secret' },
  { shape: /\bSG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g, word: 'a SendGrid key' },
  { shape: /\bhf_([A-Za-z]{34})\b/g, word: 'a Hugging Face token' },
  { shape: /\bdop_v1_([a-f0-9]{64})\b/g, word: 'a DigitalOcean token' },
  { shape: /\bshp(?:at|ca|pa|ss)_([a-fA-F0-9]{32})\b/g, word: 'a Shopify token' },
  { shape: /\bdapi([a-f0-9]{32})\b/g, word: 'a Databricks token' },
  { shape: /\bEAACEdEose0cBA([A-Za-z0-9]{20,})/g, word: 'a Facebook token' },
  { shape: /\bAccountKey=([A-Za-z0-9+/]{86}==)/g, word: 'an Azure storage key' },
  { shape: /\bAGE-SECRET-KEY-1([0-9A-Z]{58})\b/g, word: 'an age key' },
  { shape: /\bhvs\.([\w-]{90,})/g, word: 'a Vault token' },
];
