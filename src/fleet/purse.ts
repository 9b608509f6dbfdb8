// The window and the money that all machines of an account share, in PostgreSQL: by its clock, and under one lock for each
// account, so that of many simultaneous requests each is counted before the next.
import { asFailure, Failure } from '../failure.ts';
import type { LeaveAsked, Purse, Shut } from '../place/purse.ts';
import { readCaps, windowColumns } from './account-caps.ts';
import type { Database, Query } from './database.ts';
import { judgeGrant, judgeWindow, type Window } from './leave.ts';

/** Who asks: the account, the machine's name for people, and US dollars for a session. */
export type PurseGiven = Readonly<{
  account: string;
  machine: string;
  share: number;
  /** Opened at the first question, and again after it was unreachable. */
  open: () => Promise<Database>;
  now: () => number;
}>;

/** The purse of one run, on the fleet's database. */
export class SqlPurse implements Purse {
  readonly #given: PurseGiven;
  #database: Promise<Database> | undefined;
  /** Reserved for sessions that have not begun. */
  #pending = 0;
  /** Whether a cap applies; undefined: the database was never asked. */
  #capped: boolean | undefined;
  /** What the database was last told. */
  #booked: Readonly<{ run?: string; spent: number; reserved: number }> = { spent: 0, reserved: 0 };
  #alive: NodeJS.Timeout | undefined;
  /** What an earlier life elsewhere reported about the run and its journal here does not know. */
  #unknown: number | undefined;
  readonly #windows = new Map<string, number>();
  #under: Promise<unknown> = Promise.resolve();

  constructor(given: PurseGiven) {
    this.#given = given;
  }

  async ask(asked: LeaveAsked) {
    if (asked.alone) this.#pending = 0;
    try {
      return await this.#inTurn(() => this.#askThem(asked));
    } catch (error) {
      if (asFailure(error)?.code !== 'environment' || !this.#mayGoOn(asked)) throw error;
      return go;
    }
  }

  hand(among: number): number | undefined {
    if (this.#capped === false) return undefined;
    const handed = Math.floor(Math.min(this.#given.share, this.#pending / among) * 10_000) / 10_000;
    this.#pending = Math.max(0, this.#pending - handed);
    return handed;
  }

  async settle({ run, spent, open }: Pick<LeaveAsked, 'run' | 'spent' | 'open'>): Promise<void> {
    await this.#inTurn(() =>
      this.#locked((query) => this.#book(query, { run, spent, reserved: open + this.#pending })),
    );
  }

  shut({ agent, until }: Shut): void {
    const { account, machine, now } = this.#given;
    this.#windows.set(agent, until);
    this.#later((query) =>
      query(
        `insert into pawl.window as w (account, agent, until, set_by)
         values ($1, $2, now() + $3 * interval '1 ms', $4)
         on conflict (account, agent) do update set set_by = excluded.set_by, canaries = 0,
           until = case when w.until > now() then greatest(w.until, excluded.until) else excluded.until end`,
        [account, agent, Math.max(0, until - now()), machine],
      ),
    );
  }

  works(agent: string): void {
    if (!this.#windows.delete(agent)) return;
    this.#later((query) =>
      query('delete from pawl.window where account = $1 and agent = $2 and until <= now()', [
        this.#given.account,
        agent,
      ]),
    );
  }

  shutUntil(agent: string): number | undefined {
    return this.#windows.get(agent);
  }

  /** Gives back what was reserved for sessions that never began. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#alive);
    await this.#under.catch(() => {});
    const { run, spent, reserved } = this.#booked;
    if (run !== undefined && this.#pending > 0)
      await this.#locked((query) =>
        this.#book(query, { run, spent, reserved: Math.max(0, reserved - this.#pending) }),
      ).catch(() => {});
    const database = await this.#database?.catch(() => undefined);
    await database?.[Symbol.asyncDispose]();
  }

  /** The database is unreachable: earlier reservations are used up; if no cap applies, none is needed. */
  #mayGoOn({ spent, open, sessions }: LeaveAsked): boolean {
    if (this.#capped === false) return true;
    const { spent: told, reserved } = this.#booked;
    const left = told + reserved - spent - open - this.#pending;
    // Less is worth no session.
    if (left < this.#given.share / 5) return false;
    this.#pending += Math.min(left, this.#given.share * sessions);
    return true;
  }

  #askThem(asked: LeaveAsked) {
    const { account, share, now } = this.#given;
    const { run, agents, sessions, spent, open } = asked;
    return this.#locked(async (query) => {
      const windows = await query<Window>(`select ${windowColumns} from pawl.window where account = $1`, [
        account,
      ]);
      this.#windows.clear();
      for (const { agent, ms } of windows) this.#windows.set(agent, now() + ms);
      const met = windows
        .filter(({ agent }) => agents.includes(agent))
        .map((window) => ({ agent: window.agent, judged: judgeWindow(window) }));
      const wait = met.map(({ judged }) => judged).find(({ kind }) => kind === 'wait');
      if (wait?.kind === 'wait') return wait;
      const kept = this.#pending;
      await this.#book(query, { run, spent, reserved: open + kept });
      await query(spendOld, [account]);
      const caps = await readCaps(query, account);
      this.#capped = caps.length > 0;
      const judged = judgeGrant(caps, { account, share, sessions });
      if (judged.kind !== 'grant') return judged;
      for (const { agent, judged: passes } of met)
        await query(
          passes.kind === 'over'
            ? 'delete from pawl.window where account = $1 and agent = $2'
            : 'update pawl.window set canaries = canaries + 1 where account = $1 and agent = $2',
          [account, agent],
        );
      if (!this.#capped) return go;
      await this.#book(query, { run, spent, reserved: open + kept + judged.usd });
      this.#pending = kept + judged.usd;
      return go;
    });
  }

  /** Records what the run has spent and reserved; new spending counts for today by the database's clock. */
  async #book(
    query: Query,
    { run, spent, reserved }: Readonly<{ run: string; spent: number; reserved: number }>,
  ): Promise<void> {
    const { account, machine } = this.#given;
    const [known] = await query<{ spent: number }>(
      `select coalesce((select spent from pawl.hold where run = $1),
         (select sum(usd) from pawl.spend where run = $1), 0)::float8 as spent`,
      [run],
    );
    this.#unknown ??= Math.max(0, (known?.spent ?? 0) - spent);
    this.#booked = { run, spent, reserved };
    this.#alive ??= setInterval(() => this.#tellAlive(), aliveMs).unref();
    const all = Math.max(spent + this.#unknown, known?.spent ?? 0);
    await query(
      `insert into pawl.hold (run, account, machine, spent, reserved) values ($1, $2, $3, $4, $5)
       on conflict (run) do update
       set account = $2, machine = $3, spent = $4, reserved = $5, at = now()`,
      [run, account, machine, all, reserved],
    );
    const more = all - (known?.spent ?? 0);
    if (more > 0)
      await query(
        `insert into pawl.spend as s (run, account, day, usd) values ($1, $2, current_date, $3)
         on conflict (run, account, day) do update set usd = s.usd + $3`,
        [run, account, more],
      );
  }

  /** Long sessions ask nothing meanwhile. */
  #tellAlive(): void {
    const { run, reserved } = this.#booked;
    if (run !== undefined && reserved > 0)
      this.#later((query) => query('update pawl.hold set at = now() where run = $1', [run]));
  }

  /** One at a time, across everybody on the account. */
  async #locked<T>(act: (query: Query) => Promise<T>): Promise<T> {
    this.#database ??= this.#given.open();
    let database: Database;
    try {
      database = await this.#database;
    } catch (error) {
      this.#database = undefined;
      throw error;
    }
    return database.transaction(async (query) => {
      await query("select pg_advisory_xact_lock(hashtextextended('pawl purse ' || $1, 0))", [
        this.#given.account,
      ]);
      return act(query);
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#under.then(act, act);
    this.#under = done.catch(() => {});
    return done;
  }

  /** Nobody waits for it; if the database does not get it, it gets it from the next that meets the same. */
  #later(act: (query: Query) => Promise<unknown>): void {
    void this.#inTurn(() => this.#locked(act)).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  }
}

const go = { kind: 'go' } as const;

/** How often a run that holds money reports that it is alive, ms. */
const aliveMs = 5 * 60_000;

/** The reservation of a run that has been silent for half an hour counts as spent, so that nobody waits for it. */
const spendOld = `with old as (
    select run, reserved from pawl.hold
    where account = $1 and reserved > 0 and at < now() - interval '30 minutes'
  ), freed as (
    update pawl.hold h set spent = h.spent + old.reserved, reserved = 0 from old where h.run = old.run
  )
  insert into pawl.spend as s (run, account, day, usd) select run, $1, current_date, reserved from old
  on conflict (run, account, day) do update set usd = s.usd + excluded.usd`;
