// The login of a run where the forge's program has none, as in CI: a token for it and git, never for sessions and
// checks.

/** `process/environment.ts` keeps it from all others. */
export const tokenVariable = 'PAWL_FORGE_TOKEN';

/** For gh, glab and git with their host; none without a token. */
export function loginBy(token: string | undefined): Readonly<Record<string, string>> {
  if (!token) return {};
  return {
    ...{ GH_TOKEN: token, GH_ENTERPRISE_TOKEN: token, GITLAB_TOKEN: token },
    // Drops the configured helpers.
    ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'credential.helper', GIT_CONFIG_VALUE_0: '' },
    GIT_CONFIG_KEY_1: 'credential.helper',
    GIT_CONFIG_VALUE_1: '!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f',
  };
}
