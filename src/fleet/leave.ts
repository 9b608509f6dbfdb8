// What the shared window and caps of an account mean for whoever asks for permission. Pure.
import { formatUsd } from '../dollars.ts';

/** A limit that some machine hit with an agent. `ms`: until its reset by the database's clock; negative once it is over. */
export type Window = Readonly<{ agent: string; by: string; canaries: number; ms: number }>;

/** What becomes of a session that wants to begin. */
export type WindowJudged =
  | Readonly<{ kind: 'wait'; forMs: number; text: string }>
  /** Let through as one of a few. */
  | Readonly<{ kind: 'canary' }>
  /** Nobody hit it again: it is forgotten. */
  | Readonly<{ kind: 'over' }>;

/** Interval between two steps of canaries, ms. */
const stepMs = 20_000;

/** After this many steps all may pass. */
const mostSteps = 8;

/** Nobody before the reset; after it one, 20 seconds later two more, then four, until one works or all may. */
export function judgeWindow({ agent, by, canaries, ms }: Window): WindowJudged {
  const met = `${agent} is at its usage limit, as ${by} met it`;
  if (ms > 0) return { kind: 'wait', forMs: Math.ceil(ms), text: met };
  const step = Math.floor(-ms / stepMs);
  if (step >= mostSteps) return { kind: 'over' };
  if (canaries < 2 ** (step + 1) - 1) return { kind: 'canary' };
  const forMs = Math.ceil((step + 1) * stepMs + ms);
  return { kind: 'wait', forMs, text: `${met}; few are let through at first` };
}

/** A cap, US dollars; `spent`: in its period; `held`: reserved by runs, including the one that asks. */
export type Cap = Readonly<{ per: 'day' | 'month' | 'total'; usd: number; spent: number; held: number }>;

/** What becomes of a request for money. */
export type Granted =
  | Readonly<{ kind: 'grant'; usd: number }>
  | Readonly<{ kind: 'wait'; forMs: number; text: string }>
  | Readonly<{ kind: 'spent'; reason: string; hint: string }>;

/** Less is worth no session. */
const leastUsd = 0.05;

/** Others may give back what they reserved: ask again after this long, ms. */
const pollMs = 5_000;

/** A whole share for each session, or what is left if nobody can give anything back. */
export function judgeGrant(
  caps: readonly Cap[],
  { account, share, sessions }: Readonly<{ account: string; share: number; sessions: number }>,
): Granted {
  const rest = (cap: Cap) => cap.usd - cap.spent - cap.held;
  const [tightest] = [...caps].sort((a, b) => rest(a) - rest(b));
  if (!tightest) return { kind: 'grant', usd: Number.POSITIVE_INFINITY };
  const { per, usd, spent, held } = tightest;
  // Rounded to the cent, and never more than there is.
  const left = Math.floor(rest(tightest) * 100 + 1e-6) / 100;
  const least = held > 0 ? share : leastUsd;
  if (left >= least) return { kind: 'grant', usd: Math.min(share * sessions, left) };
  const cap = `${formatUsd(usd)} ${capWords[per]} for ${account}`;
  if (held > 0)
    return {
      kind: 'wait',
      forMs: pollMs,
      text: `of ${cap} ${formatUsd(spent)} are spent, and ${formatUsd(held)} reserved by running sessions`,
    };
  return {
    kind: 'spent',
    reason: `${formatUsd(spent)} of ${cap} are spent (pawl cap)`,
    hint: `\`pawl cap ${account} <dollars> --per ${per}\` raises it; the same command then continues.`,
  };
}

/** The period of a cap, in words. */
export const capWords = { day: 'a day', month: 'a month', total: 'in all' } as const;
