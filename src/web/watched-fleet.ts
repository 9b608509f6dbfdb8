// The fleet's database, read once for all who look, and kept while unreachable.
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../defined.ts';
import { asFailure } from '../failure.ts';
import { maskTexts } from '../journal/mask.ts';
import { formatFleet } from '../report/status/format-fleet.ts';
import type { Line } from '../report/text/line.ts';
import type { CliContext } from '../start/context.ts';
import { type Fleet, openFleet, readFleet, readFleetConfig } from '../start/fleet/view.ts';
import type { FleetLook } from './view.ts';

const freshMs = 2_000;
const patienceMs = 4_000;
/** Connections are released after this long without a look. */
const keepMs = 60_000;

/** `mask`: applied to everything shown. */
export class WatchedFleet implements AsyncDisposable {
  readonly #context: CliContext;
  readonly #mask: (text: string) => string;
  #fleet: Promise<Fleet> | undefined;
  #seen: Readonly<{ lines: readonly Line[]; atMs: number }> | undefined;
  #away: FleetLook['away'];
  #reading: Promise<void> | undefined;
  #letGo: NodeJS.Timeout | undefined;

  constructor(context: CliContext, mask: (text: string) => string) {
    this.#context = context;
    this.#mask = mask;
  }

  /** A look reports problems with the user's settings. */
  get isNamed(): boolean {
    try {
      return readFleetConfig(this.#context).fleet.url !== undefined;
    } catch (error) {
      return asFailure(error) !== undefined;
    }
  }

  async look(): Promise<FleetLook> {
    clearTimeout(this.#letGo);
    this.#letGo = setTimeout(() => void this.#close(), keepMs).unref();
    if (!this.#seen || this.#away || performance.now() - this.#seen.atMs > freshMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      const late = sleep(patienceMs, 'late', { ref: false });
      if ((await Promise.race([this.#reading, late])) === 'late')
        this.#away ??= { why: `the database has not answered for ${patienceMs / 1_000} s` };
    }
    const seen = this.#seen && {
      lines: this.#seen.lines,
      ageMs: performance.now() - this.#seen.atMs,
    };
    return defined({ seen, away: this.#away });
  }

  async #read(): Promise<void> {
    try {
      this.#fleet ??= openFleet(readFleetConfig(this.#context));
      const fleet = await readFleet(await this.#fleet);
      const lines = maskTexts(formatFleet(fleet), this.#mask) as readonly Line[];
      this.#seen = { lines, atMs: performance.now() };
      this.#away = undefined;
    } catch (error) {
      const failure = asFailure(error);
      await this.#close();
      if (!failure) throw error;
      const away = { why: failure.message, ...defined({ hint: failure.hint }) };
      this.#away = maskTexts(away, this.#mask) as FleetLook['away'];
    }
  }

  async #close(): Promise<void> {
    const fleet = this.#fleet;
    this.#fleet = undefined;
    await fleet?.then((open) => open[Symbol.asyncDispose]()).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#letGo);
    await this.#close();
  }
}
