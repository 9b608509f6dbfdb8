// What a person is told about a dashboard.
import { renderUnicodeCompact } from 'uqr';
import { addressForOthers, isLoopback, type Listening, linkTo } from './address.ts';

/** `own`: this machine's addresses; `canAct`: the token may act; `user`: for ssh. */
export type Invited = Readonly<{
  listening: Listening;
  own: readonly string[];
  token: string;
  canAct: boolean;
  user: string;
  host: string;
}>;

export function inviteTo({ listening, own, token, canAct, user, host }: Invited): Readonly<{
  link: string;
  notes: readonly string[];
}> {
  const { address, port } = listening;
  const link = linkTo(addressForOthers(listening, own), port, token);
  const may = canAct ? 'read your runs and steer them' : 'read your runs';
  const who = `Anyone with this link can ${may}. Ctrl-C stops the dashboard; runs continue without it.`;
  if (isLoopback(address)) return { link, notes: [who] };
  return {
    link,
    notes: [
      renderUnicodeCompact(link),
      who,
      'WARNING: the connection is plain http: on a network that is not yours, others can read the link and everything it shows.',
      'Without that risk, with plain `pawl web` on this machine:',
      `  ssh -N -L ${port}:127.0.0.1:${port} ${user}@${host}    on the other machine, which then opens the link of \`pawl web\``,
      `  tailscale serve ${port}    here, and pawl web --name <machine>.<tailnet>.ts.net`,
    ],
  };
}
