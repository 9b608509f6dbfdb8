#!/usr/bin/env node
// The program's door: refuses a Node that is too old, in words it can still read, turns the compile cache on, and hands
// over to main.ts. Plain old syntax only, as a script or a module; it knows no command.
var needed = '22.18.0';
var folder;

function isOldNode(have, want) {
  var i = 0;
  while (i < 2 && Number(have[i]) === Number(want[i])) i += 1;
  return Number(have[i]) < Number(want[i]);
}

// Null: no folder of the user's own to keep it in; the shared temporary folder is not one.
function findCacheFolder(env) {
  var cache = env.XDG_CACHE_HOME;
  if (env.NODE_COMPILE_CACHE) return undefined;
  if (cache && cache.charAt(0) === '/') return [cache, 'pawl', 'compile'].join('/');
  return env.HOME ? [env.HOME, '.cache', 'pawl', 'compile'].join('/') : null;
}

if (isOldNode(process.versions.node.split('.'), needed.split('.'))) {
  process.stderr.write(
    ['pawl: needs Node ', needed, ' or newer; this is Node ', process.versions.node, '.\n'].join('') +
      '      Install a newer one, e.g. from https://nodejs.org or by `npm install --global node@24`.\n',
  );
  process.exitCode = 2;
} else {
  folder = findCacheFolder(process.env);
  if (folder !== null) process.getBuiltinModule('node:module').enableCompileCache(folder);
  import('./main.ts');
}
