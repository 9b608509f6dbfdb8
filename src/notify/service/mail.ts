// Mail: which server to talk to, and who writes to whom.
import type { Address } from '../address.ts';
import type { ChannelReading, MailServer, Services } from '../means.ts';

export const mailServices: Services = {
  mailto: { form: 'mailto://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
  mailtos: { form: 'mailtos://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
};

function readMail({ scheme, user, password, host: domain, parts, query }: Address): ChannelReading {
  const [server = '', serverPort] = (query.get('smtp') ?? '').split(':');
  if (/^$|:/.test(domain) || server === '' || parts.length > 0 || query.has('user') || query.has('pass'))
    return { problem: 'needs a domain, its server as smtp=, any login before the @ and recipients in to=' };
  const from = asAddress(query.get('from') || user || 'pawl', domain);
  const to = (query.get('to') || from).split(',').map((one) => asAddress(one.trim(), domain));
  const odd = [from, ...to].find((one) => !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(one));
  if (odd !== undefined) return { problem: `does not take ${odd} as a mail address` };
  const mode = query.get('mode') ?? (scheme === 'mailtos' ? 'starttls' : 'insecure');
  if (!(mode in ports)) return { problem: `takes mode=starttls, ssl or insecure, not ${mode}` };
  const port = Number(serverPort ?? ports[mode]);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return { problem: `does not take ${serverPort} as a port` };
  const mail: MailServer = {
    ...{ host: server, port, secure: mode === 'ssl', requireTLS: mode === 'starttls', from, to },
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password } }),
  };
  const secrets = password === undefined ? [] : [password];
  return { shown: server, secrets, means: { kind: 'mail', server: mail } };
}

const ports: Readonly<Record<string, string>> = { starttls: '587', ssl: '465', insecure: '25' };

function asAddress(text: string, domain: string): string {
  return text.includes('@') ? text : `${text}@${domain}`;
}
