// Proposes checks for a project that names none, from files at its root, or else in its first folders.
import { type NamedCheck, proposeScripts } from './script.ts';
import { type Project, type ProposedCheck, proposeTools } from './tool.ts';
import { proposeWorkspace } from './workspace.ts';

export type { ProposedCheck } from './tool.ts';

export function proposeChecks(project: Project): readonly ProposedCheck[] {
  const own = proposeIn(project);
  return own.length > 0 ? own : proposeBelow(project);
}

function proposeIn(project: Project): readonly ProposedCheck[] {
  const { read } = project;
  const ofScripts = proposeScripts(read);
  const isPackage = ({ file }: ProposedCheck) => file === 'package.json';
  const ofMembers = ofScripts.some(isPackage) ? [] : proposeWorkspace(project);
  const named = [...ofMembers, ...ofScripts];
  const tools = proposeTools(project);
  const proposals = [...withoutDoubles(named), ...tools.filter((tool) => !isCovered(tool, named))];
  return proposals
    .filter(({ command }, at) => proposals.findIndex((other) => other.command === command) === at)
    .map(({ command, file, reason, kind }) => ({ command, file, reason, kind }));
}

/** A target that calls another file's script of its kind, or runs the same, is the same check. */
function withoutDoubles(named: readonly NamedCheck[]): readonly NamedCheck[] {
  return named.filter(
    (check, at) =>
      !named.slice(0, at).some((before) => before.kind === check.kind && check.runs.includes(before.command)),
  );
}

const recipes = /^(?:[Mm]akefile|GNUmakefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|composer\.json)$/;

/** Already run by a recipe file's check of its kind, or by a named check. */
function isCovered(tool: ProposedCheck, named: readonly NamedCheck[]): boolean {
  const words = tool.command
    .replace(/^(?:(?:uv|poetry) run|\S+\/python -m) /, '')
    .split(' ')
    .slice(0, 2)
    .join(' ');
  return named.some(
    ({ file, kind, runs }) => (recipes.test(file) && kind === tool.kind) || runs.includes(words),
  );
}

const passed =
  /^(?:\.|node_modules$|vendor$|docs?$|examples?$|test(?:s|data)?$|fixtures?$|dist$|build$|target$|third[_-]?party$)/;
const mostFolders = 4;

/** Of projects side by side, such as `frontend` and `backend`. */
function proposeBelow({ read, list }: Project): readonly ProposedCheck[] {
  const folders = list('.')
    .filter((name) => !passed.test(name) && /^[\w.-]+$/.test(name))
    .toSorted();
  const found = folders.flatMap((folder) => {
    const below = proposeIn({
      read: (file) => read(`${folder}/${file}`),
      list: (name) => list(name === '.' ? folder : `${folder}/${name}`),
    });
    const moved = below.map((check) => ({
      ...check,
      command: `cd ${folder} && ${check.command}`,
      file: `${folder}/${check.file}`,
    }));
    return moved.length > 0 ? [moved] : [];
  });
  return found.length > mostFolders ? [] : found.flat();
}
