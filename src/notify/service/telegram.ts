// Telegram: sendMessage of the bot API (https://core.telegram.org/bots/api#sendmessage), as plain text.

import { shorten } from '../../shorten.ts';
import type { Address } from '../address.ts';
import { type ChannelReading, postJson } from '../means.ts';

/** In characters; 4096 are allowed. */
const longest = 4_000;

/** `tgram://BOT_TOKEN/CHAT_ID…`. */
export function readTelegram({ host: token, parts: chats }: Address): ChannelReading {
  if (!/^\d+:[\w-]{20,}$/.test(token)) return { problem: 'needs the token of a bot, as 123456:ABC…' };
  if (chats.length === 0 || chats.some((chat) => !/^(?:-?\d+|@\w+)$/.test(chat)))
    return { problem: 'needs the number of a chat, or @NAME of a channel' };
  return {
    secrets: [token],
    means: {
      kind: 'http',
      requests: ({ title, body, priority }) =>
        chats.map((chat) =>
          postJson(`https://api.telegram.org/bot${token}/sendMessage`, {
            chat_id: /^-?\d+$/.test(chat) ? Number(chat) : chat,
            text: shorten(`${title}\n\n${body}`, longest),
            disable_notification: priority <= 2,
            link_preview_options: { is_disabled: true },
          }),
        ),
    },
  };
}
