// `pawl trust`: shows what consent covers; gives or revokes it.

import { formatMoment } from '../report/text/figure.ts';
import { formatConsentHint, formatTrustFiles, refuseOutside } from '../start/consent.ts';
import { type CliContext, print } from '../start/context.ts';
import { findPlace, outsideRepository } from '../start/locate.ts';
import { readConsent, removeConsent, writeConsent } from '../trust/consents.ts';
import { changedSince, trustHash } from '../trust/trust.ts';
import { findTrustFiles } from '../trust/trust-files.ts';
import type { Command } from './command.ts';

export type TrustOptions = Readonly<{ yes?: boolean; revoke?: boolean; json?: boolean }>;

export const showTrust: Command<TrustOptions> = async (context, _args, options) => {
  const root = findPlace(context.cwd)?.root;
  if (root === undefined) throw outsideRepository(context);
  if (options.revoke) {
    const was = removeConsent(context.folders, root);
    if (!options.json) {
      print(context, was ? `${root} is no longer trusted.` : `${root} was not trusted.`);
      return 0;
    }
  }
  const files = findTrustFiles(root);
  if (options.yes) refuseOutside(root, files);
  if (options.yes) writeConsent(context.folders, root, { files, at: context.now().toISOString() });
  const consent = readConsent(context.folders, root);
  const hash = trustHash(files);
  const changed = consent ? changedSince(files, consent.files) : [];
  if (options.json) {
    const paths = files.map((file) => file.path);
    print(
      context,
      JSON.stringify(
        { root, hash, trusted: consent?.hash === hash, at: consent?.at ?? null, files: paths, changed },
        undefined,
        2,
      ),
    );
    return 0;
  }
  print(context, [root, ...formatTrustFiles(files), `hash ${hash}`].join('\n'));
  showVerdict(context, {
    at: consent?.at,
    trusted: consent?.hash === hash,
    changed,
    hint: formatConsentHint(files),
  });
  return 0;
};

type Verdict = Readonly<{
  at: string | undefined;
  trusted: boolean;
  changed: readonly string[];
  hint: string;
}>;

function showVerdict(context: CliContext, { at, trusted, changed, hint }: Verdict): void {
  const when = at === undefined ? undefined : formatMoment(Date.parse(at));
  if (when === undefined) print(context, `Not trusted. ${hint}`);
  else if (trusted) print(context, `Trusted since ${when}. To revoke it: pawl trust --revoke`);
  else
    print(context, `Trusted on ${when}, changed since then: ${changed.join(', ')}. Again: pawl trust --yes`);
}
