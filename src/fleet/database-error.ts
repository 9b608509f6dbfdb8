// What an error of PostgreSQL or of the connection to it means for a person. Pure.
import { Failure } from '../failure.ts';

/** Where a database is, without its login: `db.example.org:5432/pawl`; an invalid address throws a Failure. */
export function formatAddress(url: string): string {
  // A socket's address has no host: postgres://user@/name?host=/run/postgresql.
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

/** PostgreSQL's codes for shutting down, being out of resources, or a lock held too long by another. */
const away = /^(?:08...|57P0[1-3]|57014|55P03|25P03|53[0-9]..)$/;

const network = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'ECONNABORTED'],
]);

/** Words of `pg` for a lost connection, for which it has no codes. */
const gone = /connection (?:terminated|ended|error)|timeout|not queryable|client has encountered/i;

/** The Failure for an error; undefined: a bug of pawl's. Temporary problems have the code `environment`. */
export function judgeError(error: unknown, address: string): Failure | undefined {
  if (error instanceof Failure) return undefined;
  const { code, message } = (error ?? {}) as Partial<Record<string, unknown>>;
  const says = firstLineOf(error, message);
  const fail = (kind: 'environment' | 'preflight', sentence: string, hint: string) =>
    new Failure(kind, sentence, { hint, cause: error });
  if (typeof code === 'string') {
    if (code === '28P01' || code === '28000')
      return fail(
        'preflight',
        `${address} does not let this login in: ${says}`,
        'Correct the user and password in fleet.url (PAWL_FLEET_URL).',
      );
    if (code === '3D000')
      return fail(
        'preflight',
        `${address} does not exist: ${says}`,
        'Create it (createdb), or correct fleet.url.',
      );
    if (code === '42501')
      return fail(
        'preflight',
        `the login for ${address} may not do this: ${says}`,
        'Let it make its tables once: GRANT CREATE ON DATABASE … TO …, or start the first worker as the owner.',
      );
    if (network.has(code) || away.test(code))
      return fail(
        'environment',
        `no database answers at ${address}: ${says}`,
        'Start it, or correct fleet.url (PAWL_FLEET_URL).',
      );
  }
  if (gone.test(says))
    return fail('environment', `the database at ${address} went away: ${says}`, 'Try again when it is back.');
  return undefined;
}

/** Whether the database is unreachable, which may pass by itself. */
export function isAway(error: unknown): boolean {
  return error instanceof Failure && error.code === 'environment';
}

function firstLineOf(error: unknown, message: unknown): string {
  // Several addresses of one name were tried.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const text =
    typeof message === 'string' && message !== ''
      ? message
      : String((first as Error | undefined)?.message ?? error);
  return text.split('\n', 1)[0] ?? '';
}
