// Which Host headers a dashboard answers to, the links that lead to it, and what a person is told with them.
import { renderUnicodeCompact } from 'uqr';

/** `address`: as bound; `names`: given by a person. */
export type Listening = Readonly<{ address: string; port: number; names: readonly string[] }>;

/** PAWL on a phone's keypad. */
export const usualPort = 7295;

const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/** `own`: the machine's addresses, if it listens on all of them. */
export function hostJudge(
  { address, port, names }: Listening,
  own: readonly string[],
): (host: string) => boolean {
  const all = address === '0.0.0.0' || address === '::' ? own : [address];
  const bound = [...loopback, ...all.map(inUrl)];
  // A browser leaves out the port 80.
  const bare = port === 80 ? [...names, ...bound] : names;
  const known = new Set(
    [...bare, ...[...names, ...bound].map((name) => `${name}:${port}`)].map((name) => name.toLowerCase()),
  );
  return (host) => known.has(host.toLowerCase());
}

function addressForOthers({ address }: Listening, own: readonly string[]): string {
  return address === '0.0.0.0' || address === '::' ? (own[0] ?? '127.0.0.1') : address;
}

/** If only this machine can reach the address, the name is a proxy's, which speaks https. */
export function addressOfPage(listening: Listening, own: readonly string[]): string {
  const { address, port, names } = listening;
  const [name] = names;
  if (name !== undefined && isLoopback(address)) return `https://${name}`;
  return `http://${name ?? inUrl(addressForOthers(listening, own))}:${port}`;
}

/** The token is after the `#`, which no browser sends. */
export function linkTo(address: string, port: number, token: string): string {
  return `http://${inUrl(address)}:${port}/#t=${token}`;
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** `own`: this machine's addresses; `canAct`: the token may act; `user`: for ssh. */
type Invited = Readonly<{
  own: readonly string[];
  token: string;
  canAct: boolean;
  user: string;
  host: string;
}>;

export function inviteTo(
  listening: Listening,
  { own, token, canAct, user, host }: Invited,
): Readonly<{ link: string; notes: readonly string[] }> {
  const { address, port } = listening;
  const link = linkTo(addressForOthers(listening, own), port, token);
  const may = canAct ? 'read your runs and steer them' : 'read your runs';
  const who = `Anyone with this link can ${may}.`;
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
