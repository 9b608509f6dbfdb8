// The reporter that sends messages when gather.ts says so. It never keeps the run waiting, and reports a failing
// channel once.
import type { Occasion } from '../config/schema.ts';
import type { Event, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Channel } from './channel.ts';
import type { Trouble } from './deliver.ts';
import { afterSending, composeMessage, judgeSending, type LastSent } from './gather.ts';
import type { Message } from './message.ts';
import { type Item, readItem, settles } from './occasion.ts';

export type NotifierOptions = Readonly<{
  channels: readonly Channel[];
  on: readonly Occasion[];
  deliver(channel: Channel, message: Message): Promise<Trouble | undefined>;
  tell(text: string): void;
  /** A text as it may leave the machine. */
  clean(text: string): string;
  /** Where a run is shown; undefined: nowhere now. */
  dashboard?: (run: string) => string | undefined;
  now(): number;
  /** Unless disposed before; does not keep the process alive. */
  after(ms: number, act: () => void): Disposable;
}>;

/** Before a second try. */
const againMs = 5_000;

/** At a run's end, for what is on its way. */
export const settleMs = 5_000;

export class Notifier implements Reporter {
  readonly name = 'messages';
  readonly #options: NotifierOptions;
  readonly #failed = new Set<Channel>();
  readonly #underWay = new Map<Promise<void>, Channel>();
  #pending: readonly Item[] = [];
  #last: LastSent = {};
  #timer: Disposable | undefined;
  readonly #ending = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  report(event: Stamped<Event>, state: RunState): void {
    if (event.type === 'activity') return;
    const moot = settles(event);
    if (moot.length > 0) this.#pending = this.#pending.filter(({ key }) => !moot.includes(key));
    const item = readItem(event, state, this.#options.clean);
    if (!item || !this.#options.on.includes(item.occasion)) return;
    this.#pending = [...this.#pending.filter(({ key }) => key !== item.key), item];
    this.#plan();
  }

  async settle(): Promise<void> {
    this.#isEnding = true;
    this.#ending.resolve();
    this.#timer?.[Symbol.dispose]();
    if (this.#pending.length > 0) this.#send();
    if (this.#underWay.size === 0) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    using _clock = this.#options.after(settleMs, resolve);
    await Promise.race([Promise.all(this.#underWay.keys()), late]);
    for (const channel of this.#underWay.values())
      this.#tellFailed(channel, `no answer within ${settleMs / 1_000} s of the run’s end`);
    this.#underWay.clear();
  }

  close(): void {
    this.#timer?.[Symbol.dispose]();
  }

  #plan(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#isEnding) return;
    const at = judgeSending(this.#pending, this.#last);
    if (at === undefined) return;
    this.#timer = this.#options.after(Math.max(0, at - this.#options.now()), () => this.#send());
  }

  #send(): void {
    const items = this.#pending;
    if (items.length === 0) return;
    this.#pending = [];
    this.#last = afterSending(items, this.#last, this.#options.now());
    const message = composeMessage(items, this.#options.dashboard);
    for (const channel of this.#options.channels) {
      const way = this.#deliver(channel, message).finally(() => this.#underWay.delete(way));
      this.#underWay.set(way, channel);
    }
  }

  async #deliver(channel: Channel, message: Message): Promise<void> {
    const { deliver } = this.#options;
    let trouble = await deliver(channel, message);
    if (trouble?.isPassing && !this.#isEnding) {
      const { promise: later, resolve } = Promise.withResolvers<void>();
      using _clock = this.#options.after(againMs, resolve);
      await Promise.race([later, this.#ending.promise]);
      trouble = await deliver(channel, message);
    }
    if (trouble) this.#tellFailed(channel, trouble.why);
  }

  #tellFailed(channel: Channel, why: string): void {
    if (this.#failed.has(channel)) return;
    this.#failed.add(channel);
    this.#options.tell(`A message could not be sent to ${channel.name}: ${why}`);
  }
}
