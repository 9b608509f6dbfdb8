// What others see of a worker and its runs: a cache of facts in the database, each with its age. The truth is in the
// journals; what cannot be reported now is reported with the next.
import { type Database, jsonOf } from '../../fleet/database.ts';
import { isAway } from '../../fleet/database-error.ts';
import { jobSchema } from '../../fleet/job.ts';
import type { Offer } from '../../fleet/queue.ts';
import type { RunState } from '../../journal/state.ts';
import { headlineOf } from '../carry/headline.ts';

/** How a worker appears to others. */
export type Worker = Readonly<{
  id: string;
  name: string;
  version: string;
  slots: number;
  repos: readonly string[];
  labels: readonly string[];
}>;

const everyMs = 5_000;

/** Reports it, at most every 5 s except for news. */
export class Standing {
  readonly #database: Database;
  readonly #worker: Worker;
  #toldAt = 0;
  #last = '';
  readonly #runs = new Map<string, Readonly<{ headline: string; at: number }>>();

  constructor(database: Database, worker: Worker) {
    this.#database = database;
    this.#worker = worker;
  }

  /**
   * Reports the worker itself; `says`: why it takes no jobs. Throws a Failure if the database is unreachable, since its
   * caller may not ask it anything else.
   */
  async tell(now: Readonly<{ busy: number; says: string }>): Promise<void> {
    const text = JSON.stringify(now);
    if (text === this.#last && Date.now() - this.#toldAt < everyMs) return;
    const { id, name, version, slots, labels, repos } = this.#worker;
    try {
      await this.#database.query(
        `insert into pawl.worker (id, name, version, labels, slots, busy, standing, repos) values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (id) do update set busy = $6, standing = $7, seen = now()`,
        [id, name, version, labels, slots, now.busy, now.says, repos],
      );
      this.#last = text;
      this.#toldAt = Date.now();
    } catch (error) {
      this.#toldAt = 0;
      if (isAway(error)) throw error;
    }
  }

  /** Reports one of its runs, as its journal has it now. */
  tellRun({ id, data }: Offer, state: RunState): void {
    const { run } = state.started;
    const headline = jsonOf(headlineOf(state));
    const told = this.#runs.get(run);
    if (told?.headline === headline && Date.now() - told.at < everyMs) return;
    this.#runs.set(run, { headline, at: Date.now() });
    const job = jobSchema.safeParse(data);
    void quietly(async () => {
      await this.#database.query(
        `insert into pawl.run (run, job, worker, repo, headline) values ($1, $2, $3, $4, $5)
         on conflict (run) do update set job = $2, worker = $3, headline = $5, seen = now()`,
        [run, id, this.#worker.name, job.success ? job.data.repo : '', headline],
      );
    });
  }

  /** It is gone, and with it those of its machine that died before it began. */
  async [Symbol.asyncDispose](): Promise<void> {
    await quietly(async () => {
      await this.#database.query(
        `delete from pawl.worker gone using pawl.worker own
         where own.id = $1 and (gone.id = own.id or (gone.name = own.name and gone.seen < own.since))`,
        [this.#worker.id],
      );
    });
  }
}

async function quietly(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch {
    // The work is worth more than what others see of it.
  }
}
