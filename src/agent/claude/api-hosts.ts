// Which hosts Claude Code (2.1.330) must reach, for whatever has to let it through. It gets the environment as an argument.
import { type ApiHost, hostsBy } from '../adapter.ts';
import { isOn } from './login.ts';

/** The hosts it needs under this environment. */
export function claudeHosts(env: Readonly<Record<string, string | undefined>>): readonly ApiHost[] {
  if (isOn(env['CLAUDE_CODE_USE_BEDROCK']))
    return hostsBy(env['ANTHROPIC_BEDROCK_BASE_URL'], [
      'bedrock-runtime.*.amazonaws.com:443',
      'bedrock.*.amazonaws.com:443',
      'sts.*.amazonaws.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_VERTEX']))
    return hostsBy(env['ANTHROPIC_VERTEX_BASE_URL'], [
      'aiplatform.googleapis.com:443',
      '*-aiplatform.googleapis.com:443',
      'oauth2.googleapis.com:443',
      'sts.googleapis.com:443',
    ]);
  if (isOn(env['CLAUDE_CODE_USE_FOUNDRY'])) {
    const resource = env['ANTHROPIC_FOUNDRY_RESOURCE'] ?? '*';
    const shipped = [`${resource}.services.ai.azure.com:443`, 'login.microsoftonline.com:443'];
    return hostsBy(env['ANTHROPIC_FOUNDRY_BASE_URL'], shipped);
  }
  return hostsBy(env['ANTHROPIC_BASE_URL'], ['api.anthropic.com:443']);
}
