// The reporter that gathers and sends messages. It never keeps the run waiting, and reports a failing channel once.
import type { Occasion } from '../config/schema.ts';
import type { Event, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { Reporter } from '../report/reporter.ts';
import { shorten } from '../shorten.ts';
import type { Channel } from './channel.ts';
import type { Trouble } from './deliver.ts';
import type { Message, Priority } from './message.ts';
import { type Item, isMoot, readItems } from './occasion.ts';

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

/** Before a second try, unless the run ends. */
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

  report(event: Stamped<Event>, state: RunState, before?: RunState): void {
    if (event.type === 'activity') return;
    const { on, clean } = this.#options;
    const wanted: ReadonlySet<string> = new Set(on);
    const news = readItems(event, state, { before, clean }).filter((item) => wanted.has(item.event.occasion));
    const isReplaced = ({ key }: Item) => news.some((item) => item.key === key);
    this.#pending = this.#pending.filter((item) => !isMoot(item, state) && !isReplaced(item));
    this.#pending = [...this.#pending, ...news];
    if (news.length > 0) this.#plan();
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
    const nowMs = this.#options.now();
    const isQuiet = items.every(({ event }) => event.priority < loud);
    this.#last = { ...this.#last, anyMs: nowMs, ...(isQuiet && { quietMs: nowMs }) };
    const message = composeMessage(items, this.#options.dashboard);
    for (const channel of this.#options.channels) {
      const way = this.#deliver(channel, message).finally(() => this.#underWay.delete(way));
      this.#underWay.set(way, channel);
    }
  }

  async #deliver(channel: Channel, message: Message): Promise<void> {
    const { deliver } = this.#options;
    let trouble = await deliver(channel, message);
    if (trouble?.isPassing) {
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

const minuteMs = 60_000;

/** Pauses before a message, to gather simultaneous events; between two; between two quiet ones. */
const pauses = { gatherMs: 3_000, loudMs: minuteMs, quietMs: 8 * 60 * minuteMs } as const;

const loud = 3;

/** Epoch milliseconds; `quietMs`: of only quiet items. */
type LastSent = Readonly<{ anyMs?: number; quietMs?: number }>;

/** Epoch milliseconds; undefined: nothing is pending. Quiet items wait for loud ones, or for hours. */
function judgeSending(pending: readonly Item[], last: LastSent): number | undefined {
  const [first] = pending;
  if (!first) return undefined;
  const firstLoud = pending.find(({ event }) => event.priority >= loud);
  if (firstLoud) return Math.max(firstLoud.atMs + pauses.gatherMs, (last.anyMs ?? 0) + pauses.loudMs);
  return Math.max(first.atMs + pauses.gatherMs, (last.quietMs ?? 0) + pauses.quietMs);
}

const most = 6;

/** Of at least one item. `dashboard`: where a run is shown, if anywhere. */
function composeMessage(items: readonly Item[], dashboard: NotifierOptions['dashboard']): Message {
  const told = items.toSorted((a, b) => b.event.priority - a.event.priority || a.atMs - b.atMs);
  const [top] = told;
  if (!top) throw new Error('a message tells something');
  const { about } = top.event;
  const rest = told.length - most;
  const link = about && dashboard?.(about.run);
  const isOne = told.length === 1;
  const body = [
    ...told.slice(0, most).map((item) => formatItem(item, isOne)),
    ...(rest > 0 ? [`… and ${rest} more: pawl status`] : []),
    ...(about ? [`${about.title} (${about.plan}, branch ${about.branch})`] : []),
    // Without its token: a message stays with others.
    ...(link ? [`Dashboard: ${link} (in a browser that has it open)`] : []),
  ];
  return {
    title: shorten(`pawl: ${top.title}${isOne ? '' : ` (+${told.length - 1})`}`, 120),
    body: body.map((part) => shorten(part, 600)).join('\n\n'),
    tone: top.tone,
    priority: Math.max(...told.map(({ event }) => event.priority)) as Priority,
    events: told.map(({ event }) => event),
  };
}

function formatItem({ title, text, event: { command } }: Item, isOne: boolean): string {
  const words = isOne ? text : `${title}. ${text}`;
  return command === undefined ? words : `${words}\n→ ${command}`;
}
