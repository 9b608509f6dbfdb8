// Mail: which server to talk to, and who writes to whom.
import type { Address } from '../address.ts';
import type { ChannelReading, MailServer, Services } from '../means.ts';

export const mailServices: Services = {
  mailto: { form: 'mailto://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
  mailtos: { form: 'mailtos://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
};

/** Providers whose server differs from the address's domain. */
const knownServers: Readonly<Record<string, string>> = {
  'gmail.com': 'smtp.gmail.com',
  'googlemail.com': 'smtp.gmail.com',
  'outlook.com': 'smtp-mail.outlook.com',
  'hotmail.com': 'smtp-mail.outlook.com',
  'live.com': 'smtp-mail.outlook.com',
  'yahoo.com': 'smtp.mail.yahoo.com',
  'fastmail.com': 'smtp.fastmail.com',
  'icloud.com': 'smtp.mail.me.com',
  'gmx.de': 'mail.gmx.net',
  'gmx.net': 'mail.gmx.net',
  'zoho.com': 'smtp.zoho.com',
};

/** `mailto(s)://[USER:PASSWORD@]DOMAIN[:PORT][/TO…]?smtp=&from=&to=&user=&pass=&mode=starttls|ssl|insecure`. */
function readMail({ scheme, user, password, host, parts, query }: Address): ChannelReading {
  const [domain = '', port] = host.split(':');
  const login = query.get('user') ?? user;
  const own = login?.includes('@') ? login : `${login ?? 'pawl'}@${domain}`;
  const from = asAddress(query.get('from') || own, domain);
  const to = [...(query.get('to')?.split(',') ?? []), ...parts].map((one) => asAddress(one.trim(), domain));
  const [server = '', serverPort = port] = (
    query.get('smtp') ??
    knownServers[domain.toLowerCase()] ??
    domain
  ).split(':');
  if (server === '') return { problem: 'needs a domain' };
  const odd = [from, ...to].find((one) => !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(one));
  if (odd !== undefined) return { problem: `does not take ${odd} as a mail address` };
  const mode = query.get('mode') ?? (scheme === 'mailtos' ? 'starttls' : 'insecure');
  if (!(mode in ports)) return { problem: `takes mode=starttls, ssl or insecure, not ${mode}` };
  const given = Number(serverPort ?? ports[mode]);
  if (!Number.isInteger(given) || given < 1 || given > 65_535)
    return { problem: `does not take ${serverPort} as a port` };
  const secret = query.get('pass') ?? password;
  const mail: MailServer = {
    host: server,
    port: given,
    secure: mode === 'ssl',
    requireTLS: mode === 'starttls',
    ...(secret === undefined || login === undefined ? {} : { auth: { user: login, pass: secret } }),
    from,
    to: to.length > 0 ? to : [from],
  };
  return {
    shown: server,
    secrets: secret === undefined ? [] : [secret],
    means: { kind: 'mail', server: mail },
  };
}

const ports: Readonly<Record<string, string>> = { starttls: '587', ssl: '465', insecure: '25' };

function asAddress(text: string, domain: string): string {
  return text.includes('@') ? text : `${text}@${domain}`;
}
