// Which of the user's environment variables, passed in, are visible inside a sandbox.

type Env = Readonly<Record<string, string>>;

/** Says nothing about the machine. */
const harmless =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|PAWL_PORT_OFFSET|SOURCE_DATE_EPOCH)$/;

/** The host's, the container's as made, or obeyed before the walls stand: never passed on, whoever sets it. */
const hosts =
  /^(PATH|HOME|PWD|OLDPWD|SHLVL|_|TMPDIR|HOSTNAME|LD_.*|SHELLOPTS|PS4|DOCKER_.*|CONTAINERS_.*|CONTAINER_(?:HOST|SSHKEY|CONNECTION)|SSH_AUTH_SOCK|XDG_.*|GIT_CONFIG_.*|(?:HTTPS?|ALL|NO)_PROXY|NODE_USE_ENV_PROXY|IS_SANDBOX)$/i;

/** For programs inside: what says nothing about the machine, what is `more`, and `wanted` (`NAME`, or `NAME=value`). */
export function passthroughEnvironment(
  env: Env,
  wanted: readonly string[],
  more: (name: string) => boolean = () => false,
): Env {
  const named = wanted.flatMap((entry) => {
    const at = entry.indexOf('=');
    const name = at < 0 ? entry : entry.slice(0, at);
    const value = at < 0 ? env[entry] : entry.slice(at + 1);
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = Object.entries(env).filter(([name]) => harmless.test(name) || more(name));
  return Object.fromEntries([...own, ...named]);
}

export function passedEnvironment(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hosts.test(name)));
}

/** For docker's client, or podman's: where the engine is and how it is reached. */
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
