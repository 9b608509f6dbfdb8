// What ralphex’s notifications become: together they are pawl’s `notify.urls` and `notify.on`, which only the user’s own
// settings may contain. Pure.
import { occasionSchema } from '../../config/notify-settings.ts';
import { changed, isTrue, missing, notNeeded, type Rule, taken, type Values } from './translated.ts';

/** The address of one channel; undefined if its settings are incomplete. */
type Address = (all: Values) => readonly string[] | undefined;

const enc = encodeURIComponent;

const addresses: Readonly<Record<string, Address>> = {
  telegram: (all) => {
    const [token, chat] = [all.get('notify_telegram_token'), all.get('notify_telegram_chat')];
    return token && chat ? [`tgram://${token}/${enc(chat)}`] : undefined;
  },
  slack: (all) => {
    const [token, channel] = [all.get('notify_slack_token'), all.get('notify_slack_channel')];
    return token && channel ? [`slack://${token}/${enc(channel.replace(/^#/, ''))}`] : undefined;
  },
  webhook: (all) => splitList(all.get('notify_webhook_urls')).map((url) => url.replace(/^http/, 'json')),
  custom: (all) => {
    const script = all.get('notify_custom_script');
    return script ? [`command: ${script}`] : undefined;
  },
  email: (all) => {
    const [host, from] = [all.get('notify_smtp_host'), all.get('notify_email_from')];
    const to = splitList(all.get('notify_email_to'));
    if (!host || !from || to.length === 0) return undefined;
    const login = [all.get('notify_smtp_username'), all.get('notify_smtp_password')].flatMap(
      (word) => word ?? [],
    );
    const port = all.get('notify_smtp_port');
    const isOpen = port !== '465' && !isTrue(all.get('notify_smtp_starttls'));
    return to.map((address) => {
      const query = [`from=${enc(from)}`, `to=${enc(address)}`, ...(port === '465' ? ['mode=ssl'] : [])].join(
        '&',
      );
      const at = login.length > 0 ? `${login.map(enc).join(':')}@` : '';
      return `${isOpen ? 'mailto' : 'mailtos'}://${at}${host}${port ? `:${port}` : ''}?smtp=${host}&${query}`;
    });
  },
};

const inOwn = missing(
  'messages leave this machine, so a project cannot set them: put notify.urls into your own settings (docs/messages.md)',
);

const partOfUrls: Rule = (_, all) => {
  if (all.isProject) return inOwn;
  const channels = splitList(all.get('notify_channels'));
  const found = channels.map((name) => [name, addresses[name]?.(all)] as const);
  const lacking = found.filter(([, urls]) => urls === undefined || urls.length === 0).map(([name]) => name);
  const urls = found.flatMap(([, each]) => each ?? []);
  if (urls.length === 0)
    return channels.length === 0
      ? notNeeded('no channel uses it (notify_channels)')
      : missing(`what ${lacking.join(', ')} needs is not set here`);
  return changed(
    { 'notify.urls': urls },
    `pawl also reports what happens before the end (notify.on)${urls.some((url) => url.startsWith('json')) ? '; a webhook gets JSON, not text' : ''}; try it: pawl notify test`,
  );
};

const end = new Set(['done', 'failed']);

const partOfOn: Rule = (value, all) => {
  if (all.isProject) return inOwn;
  if (isTrue(value)) return notNeeded('it is the default');
  const left = new Set([
    ...(isTrue(all.get('notify_on_error') ?? 'true') ? ['failed'] : []),
    ...(isTrue(all.get('notify_on_complete') ?? 'true') ? ['done'] : []),
  ]);
  const on = occasionSchema.options.filter(
    (each) => each !== 'task-done' && (!end.has(each) || left.has(each)),
  );
  return taken({ 'notify.on': on });
};

/** By key. */
export const notifyRules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    [
      'channels',
      'telegram_token',
      'telegram_chat',
      'slack_token',
      'slack_channel',
      'smtp_host',
      'smtp_port',
      'smtp_username',
      'smtp_password',
      'smtp_starttls',
      'email_from',
      'email_to',
      'webhook_urls',
      'custom_script',
    ].map((name) => [`notify_${name}`, partOfUrls]),
  ),
  notify_on_error: partOfOn,
  notify_on_complete: partOfOn,
  notify_timeout_ms: () => notNeeded('no run waits for a message'),
};

/** Settings whose value is a secret, or may contain one. */
export function isSecretKey(key: string): boolean {
  return /^notify_.*(?:token|password|urls)$/.test(key);
}

function splitList(text = ''): readonly string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
