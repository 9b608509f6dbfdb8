import { expect, test } from 'vitest';
import { bwrapArgs, probeArgs } from '../../src/sandbox/bwrap-args.ts';

const request = {
  system: [{ path: '/usr' }, { path: '/bin', link: 'usr/bin' }],
  mounts: [
    { from: '/work/repo', to: '/work/repo', readonly: false },
    { from: '/run/git', to: '/work/repo/.git', readonly: true },
  ],
  links: [['/home/u/claude', '/opt/pawl/bin/claude']],
  cwd: '/work/repo/sub',
  socket: '/run/user/wire',
  ports: [3128, 4000],
  file: 'claude',
  args: ['-p', '--', 'x'],
} as const;

test('a program stands in walls of its own, beside the tunnel, and its words come last', () => {
  expect(bwrapArgs(request).join(' ')).toBe(
    '--die-with-parent --new-session --unshare-user --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts ' +
      '--unshare-cgroup-try --unshare-net --ro-bind /usr /usr --symlink usr/bin /bin --proc /proc --dev /dev ' +
      '--tmpfs /tmp --tmpfs /run --tmpfs /var --dir /var/tmp --bind /work/repo /work/repo ' +
      '--ro-bind /run/git /work/repo/.git --symlink /home/u/claude /opt/pawl/bin/claude ' +
      '--ro-bind /run/user/wire /run/pawl.sock --chdir /work/repo/sub -- /opt/pawl/bin/node /opt/pawl/tunnel.mjs ' +
      '--socket /run/pawl.sock 3128 4000 -- claude -p -- x',
  );
});

test('the probe has the same walls', () => {
  const walls = bwrapArgs(request).slice(0, bwrapArgs(request).indexOf('--ro-bind'));
  expect(probeArgs.slice(0, walls.length)).toEqual(walls);
});
