// Asks on a terminal whether a repository may run its own programs; refuses without one. trust/trust.ts judges.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { asFailure, Failure } from '../failure.ts';
import { shellWord } from '../shell-word.ts';
import { readConsent, writeConsent } from '../trust/consents.ts';
import { changedSince, digestFiles, judgeTrust, trustHash } from '../trust/trust.ts';
import { findTrustFiles, type TrustFile } from '../trust/trust-files.ts';
import { listTrustLines, showUntrusted } from '../trust/trust-lines.ts';
import { isConfirmed } from './confirm.ts';
import { type CliContext, paint, printNote } from './context.ts';
import { isGround } from './locate.ts';

/** `checks`: the plan's. */
type ConsentNeed = Readonly<{
  root: string;
  checks: readonly string[];
  trust?: boolean | undefined;
  trustHash?: string | undefined;
  /** Called before anybody is asked: throws what trust would not solve. */
  first?: () => Promise<void>;
  /**
   * `if-named`: only with an option, for commands that run nothing of the repository's; `never`: a dry run, where only a
   * wrong hash throws. Without consent only the user's settings and templates count.
   */
  asks?: 'always' | 'if-named' | 'never';
}>;

/** `trusted`: the repository's files count. `consented`: SHA-256 of each by its path; absent if nobody was asked. */
export type Trust = Readonly<{ trusted: boolean; consented?: Readonly<Record<string, string>> }>;

const maxLines = 60;

type TrustSeen = Readonly<ReturnType<typeof readTrust>>;

/** `consent`: the last one, for whatever files; `links`: those that lead out of the repository. */
export function readTrust(context: CliContext, root: string) {
  const files = findTrustFiles(root);
  const consent = readConsent(context.folders, root);
  return {
    files,
    consent,
    hash: trustHash(files),
    trusted: judgeTrust(consent, files, { canAsk: false }) === 'trusted',
    changed: consent ? changedSince(files, consent.files) : [],
    links: files.filter(({ outside }) => outside),
  };
}

export function isTrusted(context: CliContext, root: string): boolean {
  return readTrust(context, root).trusted;
}

/** Whether it ever was: consent does not cover what its git config runs. */
export function wasTrusted(context: CliContext, root: string): boolean {
  return existsSync(root) && readConsent(context.folders, root) !== undefined;
}

/** Saves new consent, or throws Failure('trust') that names files and lines. */
export async function obtainTrust(context: CliContext, wanted: ConsentNeed): Promise<Trust> {
  const { root, trust, trustHash: named, asks = 'always' } = wanted;
  const isNamed = trust !== undefined || named !== undefined;
  if (asks === 'if-named' && !isNamed) return { trusted: isTrusted(context, root) };
  const canAsk = context.canAsk && asks !== 'never';
  const seen = readTrust(context, root);
  refuseOutside(root, seen);
  const judged = judgeTrust(seen.consent, seen.files, { trust, trustHash: named, canAsk });
  if (asks === 'never' && (judged === 'trusted' || named === undefined))
    return { trusted: judged === 'trusted' };
  if (judged !== 'trusted') await wanted.first?.();
  if (judged === 'refused') throw refusal(seen, wanted);
  if (judged === 'ask' && !(await ask(context, seen, wanted)))
    throw new Failure('trust', 'this repository is not trusted; nothing was started');
  // A hash applies to this run; only a person's answer is saved.
  if (named === undefined && !seen.trusted) saveConsent(context, root, seen.files);
  return { trusted: true, consented: digestFiles(seen.files) };
}

/** A home may be read-only: consent still counts for this run. */
function saveConsent(context: CliContext, root: string, files: readonly TrustFile[]): void {
  try {
    writeConsent(context.folders, root, { files, at: context.now().toISOString() });
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== 'disk') throw error;
    printNote(context, `Your consent could not be saved, so the next run asks again: ${failure.message}`);
  }
}

/** A line for each thing that would run, redirect or change but the known checks, most important first, bounded. */
export function formatTrustFiles(files: readonly TrustFile[], known: readonly string[] = []): string[] {
  if (files.length === 0) return ['  none: this repository has no agent or pawl configuration'];
  const starts = known.map((command) => `checks: ${JSON.stringify(command)} `);
  const lines = files
    .flatMap((file) => listTrustLines(file).map((one) => ({ ...one, file: file.path })))
    .filter(({ text }) => !starts.some((start) => text.startsWith(start)))
    .sort((a, b) => rank[a.means] - rank[b.means]);
  const left = lines.slice(maxLines);
  const running = left.filter(({ means }) => means === 'runs').length;
  const more = `  … and ${left.length} more${running > 0 ? `, ${running} of which run something` : ''}`;
  return [
    ...lines
      .slice(0, maxLines)
      .map(({ file, line, text }) => showUntrusted(`  ${file}:${line}  ${text}`).replaceAll('\n', '?')),
    ...(left.length > 0 ? [more] : []),
  ];
}

const rank = { runs: 0, loosens: 1, plain: 2 };

/** Once a person has read what it would run. */
export const consentHint = 'To allow what it runs: pawl trust --yes';

export function refuseOutside(root: string, { links }: Pick<TrustSeen, 'links'>): void {
  if (links.length === 0) return;
  const names = links.slice(0, 5).map(({ path, target = '' }) => showUntrusted(`${path} → ${target}`));
  throw new Failure('trust', `links lead out of ${root}: ${names.join(', ')}`, {
    hint: 'Consent covers files of the repository only. Put the files themselves there, or into your own folder (~/.claude, or see `pawl config path`), which every session can read.',
  });
}

async function ask(context: CliContext, seen: TrustSeen, wanted: ConsentNeed): Promise<boolean> {
  const question = seen.consent
    ? 'Files of this repository that configure pawl or the agent have changed since you trusted it.'
    : 'pawl will run this plan’s checks, and the agent will load this repository’s own configuration.';
  printNote(context, paint(context, 'bold', question));
  for (const line of formatWanted(seen, wanted)) printNote(context, line);
  return isConfirmed(context, `Trust ${wanted.root} as it is now?`);
}

function formatWanted({ files, consent, changed }: TrustSeen, { checks }: ConsentNeed): string[] {
  const gone = changed.filter((name) => !files.some(({ path }) => path === name));
  const shown = consent ? files.filter(({ path }) => changed.includes(path)) : files;
  return [
    'Checks:',
    ...(checks.length > 0
      ? checks.map((command) => `  ${showUntrusted(command).replaceAll('\n', '\n  ')}`)
      : ['  none']),
    consent ? 'Changed files:' : 'Files:',
    ...(consent && shown.length === 0 ? [] : formatTrustFiles(shown, checks)),
    ...gone.map((name) => `  ${showUntrusted(name)}  is gone`),
  ];
}

function refusal(seen: TrustSeen, wanted: ConsentNeed): Failure {
  const { hash, consent } = seen;
  const why =
    wanted.trustHash === undefined
      ? `this repository is ${consent ? 'not as it was when it was trusted' : 'not trusted yet'}`
      : `this repository’s hash is ${hash}, not ${wanted.trustHash}`;
  const isOwn = isGround({ gitDir: path.join(wanted.root, '.git') });
  const allow = isOwn
    ? `To allow what the run’s ground has: (cd ${shellWord(wanted.root)} && pawl trust --yes)`
    : consentHint;
  return new Failure('trust', [why, ...formatWanted(seen, wanted)].join('\n'), {
    hint: `${allow}, or the same command with --trust, or in CI with --trust-hash ${hash}`,
  });
}
