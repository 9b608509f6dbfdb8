// `pawl trust`: shows what consent covers; gives or revokes it.
import { formatMoment } from '../report/text/figure.ts';
import { consentHint, formatTrustFiles, readTrust, refuseOutside } from '../start/consent.ts';
import { print, printJson } from '../start/context.ts';
import { needPlace } from '../start/find-run.ts';
import { removeConsent, writeConsent } from '../trust/consents.ts';
import type { Command } from './command.ts';

export type TrustOptions = Readonly<{ yes?: boolean; revoke?: boolean; json?: boolean }>;

export const showTrust: Command<TrustOptions> = async (context, _args, options) => {
  const { root } = needPlace(context);
  if (options.revoke) {
    const was = removeConsent(context.folders, root);
    if (!options.json) {
      print(context, was ? `${root} is no longer trusted.` : `${root} was not trusted.`);
      return 0;
    }
  }
  if (options.yes) {
    const { files, links } = readTrust(context, root);
    refuseOutside(root, { links });
    writeConsent(context.folders, root, { files, at: context.now().toISOString() });
  }
  const { files, hash, consent, trusted, changed } = readTrust(context, root);
  if (options.json) {
    const paths = files.map((file) => file.path);
    const seen = { root, hash, trusted, at: consent?.at ?? null, files: paths, changed };
    return printJson(context, seen);
  }
  const when = consent && formatMoment(Date.parse(consent.at));
  const verdict =
    when === undefined
      ? `Not trusted. ${consentHint}`
      : trusted
        ? `Trusted since ${when}. To revoke it: pawl trust --revoke`
        : `Trusted on ${when}, changed since then: ${changed.join(', ')}. Again: pawl trust --yes`;
  print(context, [root, ...formatTrustFiles(files), `hash ${hash}`, verdict].join('\n'));
  return 0;
};
