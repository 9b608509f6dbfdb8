// Checks which proxy of this network a sandbox's connections will use, if the settings ask for a sandbox. It connects nowhere.
import { formatUpstream, readUpstreams, type Upstreams } from '../../sandbox/upstream.ts';
import { type Entry, type Eyes, type Found, makeEntry, ok, warn } from './entry.ts';

/** The entry about it. */
export const upstreamEntry: Entry = makeEntry('proxy', lookUpstream, judgeUpstream);

function lookUpstream({ config, context }: Eyes): Upstreams | undefined {
  return config.sandbox.kind === 'none' ? undefined : readUpstreams(context.env);
}

/** Judges what the variables name; undefined: nothing. */
function judgeUpstream(seen: Upstreams | undefined): Found | undefined {
  if (!seen) return undefined;
  const { secure, plain, direct, unread } = seen;
  const ways = [
    ...(secure ? [`https by ${formatUpstream(secure)} (${secure.variable})`] : []),
    ...(plain ? [`http by ${formatUpstream(plain)} (${plain.variable})`] : []),
  ];
  if (unread.length > 0)
    return warn(
      [`${unread.join(', ')} names no HTTP proxy: what goes there is dialled from here`, ...ways].join('; '),
      'Name an http:// or https:// proxy, or unset it.',
    );
  if (ways.length === 0) return undefined;
  const rest = direct.length === 0 ? '' : `; not for ${direct.join(', ')}`;
  return ok(`what the sandbox lets out goes on: ${ways.join(', ')}${rest}`);
}
