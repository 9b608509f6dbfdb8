// Which of the user's environment variables are visible inside a sandbox. The environment is passed in.

type Env = Readonly<Record<string, string>>;

/** How text looks and where the user lives: nothing about the machine. */
const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|PAWL_PORT_OFFSET|SOURCE_DATE_EPOCH)$/;

/** Whether a variable holds a login or a setting of an agent: their sessions get those, checks do not. */
export type IsAgents = (name: string) => boolean;

/** What belongs to the host, or to the container as it was made: never passed on, whoever sets it. */
const hosts =
  /^(PATH|HOME|PWD|OLDPWD|SHLVL|_|TMPDIR|HOSTNAME|DOCKER_.*|SSH_AUTH_SOCK|XDG_.*|GIT_CONFIG_.*|(?:HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY|IS_SANDBOX)$/i;

/**
 * The base environment of programs inside: of the user's what says nothing about the machine, agents' logins, and what
 * `wanted` names (`NAME`, or `NAME=value`).
 */
export function passthroughEnvironment(env: Env, wanted: readonly string[], isAgents: IsAgents): Env {
  const named = wanted.flatMap((entry) => {
    const at = entry.indexOf('=');
    const name = at < 0 ? entry : entry.slice(0, at);
    const value = at < 0 ? env[entry] : entry.slice(at + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = Object.entries(env).filter(([name]) => harmless.test(name) || isAgents(name));
  return Object.fromEntries([...own, ...named]);
}

/** What is passed in of a program's environment. A check gets no agent's login. */
export function passedEnvironment(
  env: Env,
  { wanted, isAgents }: Readonly<{ wanted: readonly string[]; isAgents: IsAgents }>,
): Env {
  const isSession = 'PAWL_SESSION' in env;
  const asked = new Set(wanted.map((entry) => entry.split('=', 1)[0]));
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !hosts.test(name) && (isSession || !isAgents(name) || asked.has(name)),
    ),
  );
}

/**
 * What docker's client, or podman in its place, needs of the user's environment: where the engine is and how it is reached.
 */
export function clientEnvironment(env: Env): Env {
  const wanted =
    /^(PATH|HOME|DOCKER_.*|CONTAINERS_.*|CONTAINER_(?:HOST|SSHKEY|CONNECTION)|SSH_AUTH_SOCK|XDG_(?:RUNTIME_DIR|CONFIG_HOME)|LANG)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => wanted.test(name)));
}

/** Why an entry of `sandbox.env` is invalid; undefined if it is valid. */
export function judgeEnvEntry(entry: string): string | undefined {
  const name = entry.split('=', 1)[0] ?? '';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `“${entry}” is not NAME or NAME=value`;
  if (hosts.test(name)) return `${name} belongs to the host, or to the sandbox itself`;
  return undefined;
}
