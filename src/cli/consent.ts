// Asks whether a repository may run its own: shows what would run, asks on a terminal, refuses without one. The
// judgement is config/trust.ts; the plan's checks come from the caller.
import { readConsent, writeConsent } from '../config/consent.ts';
import { type Consent, digestFiles, judgeTrust, trustHash } from '../config/trust.ts';
import { findTrustFiles, type TrustFile } from '../config/trust-files.ts';
import { listTrustLines, showUntrusted } from '../config/trust-lines.ts';
import { asFailure, Failure } from '../failure.ts';
import { type CliContext, paint, say } from './context.ts';

/** Consent to a repository for one run. */
export type Given = Readonly<{
  hash: string;
  /** SHA-256 of each file that was consented to, by its path; `changedSince` compares with it later. */
  files: Readonly<Record<string, string>>;
}>;

/** What is consented to: the repository, and the checks of the plan that will run. */
export type Wanted = Readonly<{
  root: string;
  checks: readonly string[];
  trust?: boolean | undefined;
  trustHash?: string | undefined;
}>;

/** Whether what is the repository's own counts in a run, and the consent that says so, if it was needed. */
export type Trust = Readonly<{ consent: Given | undefined; trusted: boolean }>;

const maxLines = 60;

/** Whether this repository is trusted as it is now; read-only commands ask no more. */
export function isTrusted(context: CliContext, root: string): boolean {
  const files = findTrustFiles(root);
  return judgeTrust(readConsent(context.folders, root), files, { canAsk: false }) === 'trusted';
}

/** Gets consent for a run, or throws Failure('trust') that names files and lines. New consent is kept. */
export async function obtainTrust(context: CliContext, wanted: Wanted): Promise<Given> {
  const files = findTrustFiles(wanted.root);
  const consent = readConsent(context.folders, wanted.root);
  const judged = judgeTrust(consent, files, { ...wanted, canAsk: context.canAsk });
  if (judged === 'refused') throw refusal(files, { consent, wanted });
  if (judged === 'ask' && !(await ask(context, files, { consent, wanted }))) {
    throw new Failure('trust', 'this repository is not trusted; nothing was started');
  }
  // A hash on the command line is an answer for this run; only a person's word is kept.
  if (consent?.hash !== trustHash(files) && wanted.trustHash === undefined) {
    keepConsent(context, wanted.root, files);
  }
  return { hash: trustHash(files), files: digestFiles(files) };
}

/** For who runs nothing of the repository's own: consent is obtained only where an option speaks of it; without any, the repository's settings and templates are left out. */
export async function obtainNamedTrust(context: CliContext, wanted: Wanted): Promise<Trust> {
  if (wanted.trust === undefined && wanted.trustHash === undefined)
    return { consent: undefined, trusted: isTrusted(context, wanted.root) };
  return { consent: await obtainTrust(context, wanted), trusted: true };
}

/** Consent that cannot be kept still counts for this run: a home may be read-only. */
function keepConsent(context: CliContext, root: string, files: readonly TrustFile[]): void {
  try {
    writeConsent(context.folders, root, { files, at: context.now().toISOString() });
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== 'disk') throw error;
    say(context, `Your trust was not kept, the next run asks again: ${failure.message}`);
  }
}

/** What the files of a repository would run or redirect, one line each, bounded. */
export function formatTrustLines(files: readonly TrustFile[]): string[] {
  const lines = files
    .flatMap(listTrustLines)
    .map(({ file, line, text }) => showUntrusted(`  ${file}:${line}  ${text}`).replaceAll('\n', '?'));
  if (lines.length === 0) return ['  nothing: no .claude/, .mcp.json or .pawl/'];
  const left = lines.length - maxLines;
  return left > 0 ? [...lines.slice(0, maxLines), `  … and ${left} more`] : lines;
}

type Case = Readonly<{ consent: Consent | undefined; wanted: Wanted }>;

async function ask(
  context: CliContext,
  files: readonly TrustFile[],
  { consent, wanted }: Case,
): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  say(context, paint(context, 'bold', formatQuestion(consent)));
  for (const line of formatWanted(files, wanted)) say(context, line);
  const answer = await confirm({
    message: `Trust ${wanted.root} as it is now?`,
    initialValue: false,
    input: context.stdin,
    output: context.stderr,
  });
  return !isCancel(answer) && answer;
}

function formatQuestion(consent: Consent | undefined): string {
  return consent
    ? 'Files of this repository that run or redirect programs have changed since you trusted it.'
    : 'pawl runs this plan’s checks, and the agent loads what this repository tells it to run.';
}

function formatWanted(files: readonly TrustFile[], { checks }: Wanted): string[] {
  return [
    'Checks:',
    ...(checks.length > 0 ? checks.map(formatCheck) : ['  none']),
    'Files:',
    ...formatTrustLines(files),
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
    hint: `Read them, then: pawl trust --yes, or run with --trust, or in CI with --trust-hash ${hash}`,
  });
}
