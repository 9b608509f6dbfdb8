// What an error of PostgreSQL or of the connection to it means for a person. Pure.
import { Failure } from '../failure.ts';

/** Without its login: `db.example.org:5432/pawl`; an invalid one throws a Failure. */
export function formatAddress(url: string): string {
  // A socket's has no host: postgres://user@/name?host=/run/postgresql.
  const full = url.replace('@/', '@localhost/').replace(/^(\w+:\/\/)(?=\/)/, '$1localhost');
  const read = URL.canParse(full) ? new URL(full) : undefined;
  if (!read || !/^postgres(?:ql)?:$/.test(read.protocol))
    throw new Failure('config', 'fleet.url is not the address of a PostgreSQL database', {
      hint: 'It looks like postgres://user:password@host:5432/name. PAWL_FLEET_URL or your own config.yaml set it.',
    });
  const host = read.searchParams.get('host') || read.hostname;
  const port = read.port === '' ? '' : `:${read.port}`;
  return `${decodeURIComponent(host)}${port}${read.pathname}`;
}

/** By PostgreSQL's code, where waiting is no help. */
const wrong: Readonly<Record<string, readonly [says: string, hint: string]>> = {
  '28P01': ['does not let this login in', 'Correct the user and password in fleet.url (PAWL_FLEET_URL).'],
  '28000': ['does not let this login in', 'Correct the user and password in fleet.url (PAWL_FLEET_URL).'],
  '3D000': ['does not exist', 'Create it (createdb), or correct fleet.url.'],
  '42501': [
    'does not let the login do this',
    'Let it make its tables once: GRANT CREATE ON DATABASE … TO …, or start the first worker as the owner.',
  ],
};

/** The database is away, not pawl wrong: `environment`. Only one never reached may be named wrongly: `preflight`. */
export function judgeError(
  error: unknown,
  { address, wasReached }: Readonly<{ address: string; wasReached: boolean }>,
): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = (error ?? {}) as Partial<Record<string, unknown>>;
  const state = typeof code === 'string' ? code : '';
  const known = wrong[state];
  const isSql = /^[0-9A-Z]{5}$/.test(state) && !/^(?:08|57P0)/.test(state);
  const [says, hint] = known ?? [
    isSql ? 'cannot be used' : 'does not answer',
    'It is tried again. Start the server, or correct fleet.url (PAWL_FLEET_URL).',
  ];
  // Several addresses of one name were tried.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const [line = ''] = String(message || (first as Error | undefined)?.message || error).split('\n', 1);
  const kind = known && !wasReached ? 'preflight' : 'environment';
  const text = `the database at ${address} ${says}: ${line}`;
  return new Failure(kind, text, { hint, cause: error });
}

/** It may pass by itself. */
export function isAway(error: unknown): boolean {
  return error instanceof Failure && error.code === 'environment';
}
