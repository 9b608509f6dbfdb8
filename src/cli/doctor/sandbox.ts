// Checks which sandboxes this machine can run and, if the settings ask for one, whether it is available and holds, and
// which proxy of this network it would use. Connects nowhere.
import { probeArgs } from '../../sandbox/bwrap-args.ts';
import { hasImage } from '../../sandbox/docker.ts';
import { formatUpstream, readUpstreams, type Upstreams } from '../../sandbox/upstream.ts';
import { judgeSandbox } from '../../start/judge-sandbox.ts';
import { dockerHost, imageOf } from '../../start/sandbox/image.ts';
import { probeSandbox } from '../../start/sandbox/probe.ts';
import { type Checkup, type DoctorEntry, type DoctorTools, fail, makeEntry, ok, warn } from './entry.ts';

export const sandboxEntries: readonly DoctorEntry[] = [
  {
    name: 'sandbox',
    examine: async (tools) => (tools.config.sandbox.kind === 'none' ? lookAround(tools) : tryOut(tools)),
  },
];

async function lookAround({ has, run }: DoctorTools): Promise<Checkup> {
  const isDocker = has('docker');
  const answers =
    isDocker && (await run('docker', ['version', '--format', '{{.Server.Version}}'])).code === 0;
  const bwrap = has('bwrap') ? (await run('bwrap', [...probeArgs])).code === 0 : undefined;
  const engines = [
    ...(isDocker ? [answers ? 'docker' : 'docker (its server does not answer)'] : []),
    ...(bwrap === undefined ? [] : [bwrap ? 'bwrap' : 'bwrap (it can make no sandbox here)']),
  ];
  return ok(
    engines.length > 0
      ? `present: ${engines.join(', ')}`
      : 'neither docker nor bwrap; sessions run on this machine',
  );
}

/** Throws a Failure for problems with engine or settings. */
async function tryOut({ context, config, place }: DoctorTools): Promise<Checkup | undefined> {
  if (!place) return undefined;
  const { root } = place;
  await judgeSandbox(context, config, root);
  const { sandbox } = config;
  if (sandbox.kind !== 'docker') return ok('bwrap can make a sandbox here');
  const image = imageOf(context, config, root);
  if (!(await hasImage(dockerHost(context), image)))
    return warn(`docker answers; the image ${image} is not there yet`, 'The first run builds it.');
  const open = await probeSandbox(context, { sandbox, image, root });
  if (open.length > 0)
    return fail(`the container is open: ${open.join('; ')}`, 'See sandbox.mounts and sandbox.image.');
  return ok(`docker, image ${image}: every attempt to get out of it failed`);
}

/** The entry about the proxy that a sandbox’s connections use. */
export const upstreamEntry: DoctorEntry = makeEntry('proxy', lookUpstream, judgeUpstream);

function lookUpstream({ config, context }: DoctorTools): Upstreams | undefined {
  return config.sandbox.kind === 'none' ? undefined : readUpstreams(context.env);
}

/** Judges what the variables name; undefined if nothing. */
function judgeUpstream(seen: Upstreams | undefined): Checkup | undefined {
  if (!seen) return undefined;
  const { secure, plain, direct, unread } = seen;
  const ways = [
    ...(secure ? [`https by ${formatUpstream(secure)} (${secure.variable})`] : []),
    ...(plain ? [`http by ${formatUpstream(plain)} (${plain.variable})`] : []),
  ];
  if (unread.length > 0)
    return warn(
      [`${unread.join(', ')} does not name an HTTP proxy: such traffic leaves without one`, ...ways].join(
        '; ',
      ),
      'Name an http:// or https:// proxy, or unset it.',
    );
  if (ways.length === 0) return undefined;
  const rest = direct.length === 0 ? '' : `; not for ${direct.join(', ')}`;
  return ok(`traffic that the sandbox lets out goes through ${ways.join(', ')}${rest}`);
}
