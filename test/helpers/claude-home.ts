// The surroundings in which tests run the real Claude Code CLI: a home of its own, a dummy login, and the scripted
// model instead of any network. It starts nothing.
import path from 'node:path';

/** Path of the CLI that `npm test` installs. */
export const claudePath = path.join(import.meta.dirname, '..', '.agents', 'claude');

/** A complete environment for the CLI: nothing named CLAUDE…, ANTHROPIC…, PAWL…, OTEL… or GITHUB… is inherited, nor that a CI runs it. `oauth` makes it believe in a subscription. */
export function claudeEnvironment(given: {
  home: string;
  apiUrl: string;
  auth: 'key' | 'oauth';
}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined &&
      !/^(CLAUDE|ANTHROPIC|PAWL|AWS|VERTEX|GOOGLE|XDG|GITHUB|OTEL_|TRACEPARENT$|CI$)|PROXY$/i.test(name),
  );
  const login = given.auth === 'key' ? { ANTHROPIC_API_KEY: 'dummy' } : { CLAUDE_CODE_OAUTH_TOKEN: 'dummy' };
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ...login,
    HOME: given.home,
    ANTHROPIC_BASE_URL: given.apiUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    NO_PROXY: '127.0.0.1',
    // Claude Code refuses to bypass permissions as root outside a sandbox; the tests' folder is one.
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
  };
}
