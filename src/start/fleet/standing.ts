// What others see of a worker: a row in the database.
import type { Database } from '../../fleet/database.ts';

type WorkerRow = Readonly<{
  id: string;
  name: string;
  version: string;
  slots: number;
  repos: readonly string[];
}>;

const everyMs = 20_000;

/** Every 20 s, and news at once. */
export class Standing implements AsyncDisposable {
  readonly #database: Database;
  readonly #worker: WorkerRow;
  #toldAt = 0;
  #last = '';

  constructor(database: Database, worker: WorkerRow) {
    this.#database = database;
    this.#worker = worker;
  }

  get name(): string {
    return this.#worker.name;
  }

  /** `says`: why it takes no jobs. Throws a Failure if the database is unreachable. */
  async tell(now: Readonly<{ busy: number; says: string }>): Promise<void> {
    const text = JSON.stringify(now);
    if (text === this.#last && Date.now() - this.#toldAt < everyMs) return;
    const { id, name, version, slots, repos } = this.#worker;
    this.#last = '';
    await this.#database.query(
      `insert into pawl.worker (id, name, version, slots, repos, busy, says) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do update set busy = $6, says = $7, seen = now()`,
      [id, name, version, slots, repos, now.busy, now.says],
    );
    this.#last = text;
    this.#toldAt = Date.now();
  }

  /** Also removes those of its machine that died before it began. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database
      .query(
        `delete from pawl.worker gone using pawl.worker own
         where own.id = $1 and (gone.id = own.id or (gone.name = own.name and gone.seen < own.since))`,
        [this.#worker.id],
      )
      // The work is worth more than what others see of it.
      .catch(() => {});
  }
}
