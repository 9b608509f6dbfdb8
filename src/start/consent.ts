// Asks whether a repository may run its own programs: asks on a terminal, refuses without one. trust/trust.ts
// judges.
import { existsSync } from 'node:fs';
import { asFailure, Failure } from '../failure.ts';
import { readConsent, writeConsent } from '../trust/consents.ts';
import { type Consent, changedSince, digestFiles, judgeTrust, trustHash } from '../trust/trust.ts';
import { findTrustFiles, type TrustFile } from '../trust/trust-files.ts';
import { listTrustLines, showUntrusted } from '../trust/trust-lines.ts';
import { isConfirmed } from './confirm.ts';
import { type CliContext, paint, printNote } from './context.ts';

export type ConsentRequest = Readonly<{
  hash: string;
  /** SHA-256 of each file, by its path. */
  files: Readonly<Record<string, string>>;
}>;

/** `checks`: the plan's, which will run. */
export type ConsentNeed = Readonly<{
  root: string;
  checks: readonly string[];
  trust?: boolean | undefined;
  trustHash?: string | undefined;
  /** Called before anybody is asked: throws what trust would not solve. */
  first?: () => Promise<void>;
}>;

/** `trusted`: the repository's files count. */
export type Trust = Readonly<{ consent: ConsentRequest | undefined; trusted: boolean }>;

const maxLines = 60;

export type TrustSeen = Readonly<{
  trusted: boolean;
  /** Undefined: never. */
  since: string | undefined;
  /** Files that differ from the trusted ones. */
  changed: readonly string[];
  /** Those that lead out of it. */
  links: readonly string[];
}>;

export function readTrust(context: CliContext, root: string): TrustSeen {
  const files = findTrustFiles(root);
  const consent = readConsent(context.folders, root);
  return {
    trusted: judgeTrust(consent, files, { canAsk: false }) === 'trusted',
    since: consent?.at,
    changed: consent ? changedSince(files, consent.files) : [],
    links: files.filter(({ outside }) => outside).map(({ path }) => path),
  };
}

export function isTrusted(context: CliContext, root: string): boolean {
  return readTrust(context, root).trusted;
}

/** Whether it ever was: consent does not cover what its git config runs. */
export function wasTrusted(context: CliContext, root: string): boolean {
  return existsSync(root) && readConsent(context.folders, root) !== undefined;
}

/** Whether a run would start without asking; a wrong hash throws the Failure that the run would. */
export function wouldBeTrusted(context: CliContext, wanted: ConsentNeed): boolean {
  const files = findTrustFiles(wanted.root);
  refuseOutside(wanted.root, files);
  const consent = readConsent(context.folders, wanted.root);
  const judged = judgeTrust(consent, files, { ...wanted, canAsk: false });
  if (judged === 'refused' && wanted.trustHash !== undefined) throw refusal(files, { consent, wanted });
  return judged === 'trusted';
}

/** Saves new consent, or throws Failure('trust') that names files and lines. */
export async function obtainTrust(context: CliContext, wanted: ConsentNeed): Promise<ConsentRequest> {
  const files = findTrustFiles(wanted.root);
  refuseOutside(wanted.root, files);
  const consent = readConsent(context.folders, wanted.root);
  const judged = judgeTrust(consent, files, { ...wanted, canAsk: context.canAsk });
  if (judged !== 'trusted') await wanted.first?.();
  if (judged === 'refused') throw refusal(files, { consent, wanted });
  if (judged === 'ask' && !(await ask(context, files, { consent, wanted }))) {
    throw new Failure('trust', 'this repository is not trusted; nothing was started');
  }
  // A hash applies to this run; only a person's answer is saved.
  if (consent?.hash !== trustHash(files) && wanted.trustHash === undefined) {
    writeConsentOf(context, wanted.root, files);
  }
  return { hash: trustHash(files), files: digestFiles(files) };
}

/**
 * For commands that run nothing of the repository's: without an option, consent is not obtained, and its
 * settings and templates are left out.
 */
export async function obtainNamedTrust(context: CliContext, wanted: ConsentNeed): Promise<Trust> {
  if (wanted.trust === undefined && wanted.trustHash === undefined)
    return { consent: undefined, trusted: isTrusted(context, wanted.root) };
  return { consent: await obtainTrust(context, wanted), trusted: true };
}

/** A home may be read-only: consent still counts for this run. */
function writeConsentOf(context: CliContext, root: string, files: readonly TrustFile[]): void {
  try {
    writeConsent(context.folders, root, { files, at: context.now().toISOString() });
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== 'disk') throw error;
    printNote(context, `Your consent could not be saved, so the next run asks again: ${failure.message}`);
  }
}

/** A line for each thing that would run, redirect or change, most important first, bounded. */
export function formatTrustFiles(files: readonly TrustFile[]): string[] {
  if (files.length === 0) return [`  none: ${noConfiguration}`];
  const lines = files.flatMap(listTrustLines).sort((a, b) => rank[a.means] - rank[b.means]);
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

const noConfiguration = 'this repository has no agent or pawl configuration';

export function formatConsentHint(files: readonly TrustFile[]): string {
  return files.length === 0
    ? 'To allow its checks: pawl trust --yes'
    : 'After reading them: pawl trust --yes';
}

export function refuseOutside(root: string, files: readonly TrustFile[]): void {
  const links = files.filter(({ outside }) => outside);
  if (links.length === 0) return;
  const names = links.slice(0, 5).map(({ path, target = '' }) => showUntrusted(`${path} → ${target}`));
  throw new Failure('trust', `links lead out of ${root}: ${names.join(', ')}`, {
    hint: 'Consent covers files of the repository only. Put the files themselves there, or into your own folder (~/.claude, or see `pawl config path`), which every session can read.',
  });
}

type Case = Readonly<{ consent: Consent | undefined; wanted: ConsentNeed }>;

async function ask(
  context: CliContext,
  files: readonly TrustFile[],
  { consent, wanted }: Case,
): Promise<boolean> {
  printNote(context, paint(context, 'bold', formatQuestion(consent)));
  for (const line of formatWanted(files, wanted)) printNote(context, line);
  return isConfirmed(context, `Trust ${wanted.root} as it is now?`);
}

function formatQuestion(consent: Consent | undefined): string {
  return consent
    ? 'Files of this repository that configure pawl or the agent have changed since you trusted it.'
    : 'pawl will run this plan’s checks, and the agent will load this repository’s own configuration.';
}

function formatWanted(files: readonly TrustFile[], { checks }: ConsentNeed): string[] {
  return [
    'Checks:',
    ...(checks.length > 0 ? checks.map(formatCheck) : ['  none']),
    'Files:',
    ...formatTrustFiles(files),
  ];
}

function formatCheck(command: string): string {
  return `  ${showUntrusted(command).replaceAll('\n', '\n  ')}`;
}

function refusal(files: readonly TrustFile[], { consent, wanted }: Case): Failure {
  const hash = trustHash(files);
  const why =
    wanted.trustHash === undefined
      ? `this repository is ${consent ? 'not as it was when it was trusted' : 'not trusted yet'}`
      : `this repository’s hash is ${hash}, not ${wanted.trustHash}`;
  return new Failure('trust', [why, ...formatWanted(files, wanted)].join('\n'), {
    hint: `${formatConsentHint(files)}, or the same command with --trust, or in CI with --trust-hash ${hash}`,
  });
}
