// Services that people chat by: the request that each documents.
import { shorten } from '../../shorten.ts';
import { type Address, looksSecret } from '../address.ts';
import { byHttp, type ChannelReading, postJson, type Services } from '../means.ts';
import type { Message } from '../message.ts';

export const chatServices: Services = {
  ntfy: { form: 'ntfy://[USER:PASSWORD@]HOST/TOPIC', read: readNtfy },
  ntfys: { form: 'ntfys://[TOKEN@]HOST/TOPIC', read: readNtfy },
  slack: { form: 'slack://A/B/C, the parts of the webhook', read: readSlack },
  discord: { form: 'discord://ID/TOKEN', read: readDiscord },
  tgram: { form: 'tgram://BOT_TOKEN/CHAT_ID', read: readTelegram },
};

/** ntfy: publishing as JSON (https://docs.ntfy.sh/publish/#publish-as-json, 2.27). */
function readNtfy({ scheme, user, password, host, parts, query }: Address): ChannelReading {
  const [topic = '', ...more] = parts;
  if (host === '' || more.length > 0 || query.has('token') || !/^[\w-]{1,64}$/.test(topic))
    return { problem: 'needs one topic of letters, digits, - and _, with any token before the @' };
  const login = Buffer.from(`${user}:${password}`).toString('base64');
  const bearer = user ? { authorization: `Bearer ${user}` } : undefined;
  const authorization = password === undefined ? bearer : { authorization: `Basic ${login}` };
  const url = `${scheme === 'ntfys' || host === 'ntfy.sh' ? 'https' : 'http'}://${host}/`;
  // A topic of ntfy.sh is as good as a password.
  const secrets = password === undefined ? [user ?? ''] : [password, login];
  const request = ({ title, body, priority, tone }: Message) => {
    const told = { title: shorten(title, 250), message: shorten(body, 3_500), priority };
    return postJson(url, { topic, ...told, tags: [tags[tone]] }, authorization);
  };
  return byHttp([...secrets, ...[topic].filter(looksSecret)], request, `${host}/…`);
}

/** Emoji that ntfy shows before the title. */
const tags: Readonly<Record<Message['tone'], string>> = {
  info: 'hourglass_flowing_sand',
  success: 'white_check_mark',
  warning: 'warning',
  failure: 'x',
};

/**
 * Slack: incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), which take
 * headers of 150 and sections of 3000 characters. Plain texts: no mentions, no links. `slack://[NAME@]A/B/C`.
 */
function readSlack({ host, parts }: Address): ChannelReading {
  const [second, third] = parts;
  if (!/^[A-Z0-9]{6,}$/i.test(host) || second === undefined || third === undefined)
    return { problem: 'needs the three parts of a webhook' };
  const url = `https://hooks.slack.com/services/${[host, second, third].map(encodeURIComponent).join('/')}`;
  return byHttp([second, third], (message) => postJson(url, slackPayload(message)));
}

function slackPayload({ title, body }: Message): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  return {
    // For push notifications; only here Slack reads markup.
    text: shorten(title, 150).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    blocks: [
      { type: 'header', text: plain(shorten(title, 150)) },
      { type: 'section', text: plain(shorten(body, 2_900)) },
    ],
  };
}

/**
 * Discord: executing a webhook (https://discord.com/developers/docs/resources/webhook#execute-webhook). Nobody is ever
 * mentioned. `discord://[NAME@]ID/TOKEN`.
 */
function readDiscord({ host, parts: [token] }: Address): ChannelReading {
  if (!/^\d{6,}$/.test(host) || token === undefined)
    return { problem: 'needs the number and the token of a webhook' };
  const url = `https://discord.com/api/webhooks/${host}/${encodeURIComponent(token)}`;
  return byHttp([token], ({ title, body, tone }) => {
    const description = escapeMarks(shorten(body, 3_000));
    const embed = { title: escapeMarks(shorten(title, 200)), description, color: colours[tone] };
    return postJson(url, { embeds: [embed], allowed_mentions: { parse: [] } });
  });
}

/** A description is Markdown, an agent's words are plain text. */
function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]]/g, '\\$&');
}

const colours: Readonly<Record<Message['tone'], number>> = {
  info: 0x3498db,
  success: 0x2ecc71,
  warning: 0xf1c40f,
  failure: 0xe74c3c,
};

/** Telegram: sendMessage of the bot API (https://core.telegram.org/bots/api#sendmessage), as text of at most 4096. */
function readTelegram({ host: token, parts: [chat = '', ...more] }: Address): ChannelReading {
  if (!/^\d+:[\w-]{20,}$/.test(token)) return { problem: 'needs the token of a bot, as 123456:ABC…' };
  if (more.length > 0 || !/^(?:-?\d+|@\w+)$/.test(chat))
    return { problem: 'needs the number of one chat, or @NAME of a channel' };
  return byHttp([token], ({ title, body, priority }) =>
    postJson(`https://api.telegram.org/bot${token}/sendMessage`, {
      chat_id: /^-?\d+$/.test(chat) ? Number(chat) : chat,
      text: shorten(`${title}\n\n${body}`, 4_000),
      disable_notification: priority <= 2,
      link_preview_options: { is_disabled: true },
    }),
  );
}
