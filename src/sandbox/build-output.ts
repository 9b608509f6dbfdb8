// Parses the output of image builders: which lines are worth showing, and why a build failed.

import { stripVTControlCharacters } from 'node:util';
import { shorten } from '../shorten.ts';
import { setupShell } from './image-recipe.ts';

/** Parses a build's output line by line. */
export type BuildReader = Readonly<{
  /** The step that this line shows to be running, if it takes time and was not shown yet; a cached step is not. */
  hear: (line: string) => string | undefined;
  /** The step that was last shown. */
  latest: () => string | undefined;
}>;

export function readBuild(): BuildReader {
  const announced = new Map<string, string>();
  let latest: string | undefined;
  return {
    hear: (line) => {
      const { vertex, says } = splitVertex(line);
      const step = readStep({ vertex, says });
      if (step !== undefined) {
        announced.set(vertex, step);
        return undefined;
      }
      const begun = announced.get(vertex);
      announced.delete(vertex);
      if (begun === undefined || !isLong(begun) || isFromCache(says)) return undefined;
      latest = formatStep(begun);
      return latest;
    },
    latest: () => latest,
  };
}

/** A line without its colours; `vertex`: BuildKit's number for a step, since steps run side by side. */
function splitVertex(line: string): Readonly<{ vertex: string; says: string }> {
  const [, vertex = '', says = ''] = /^(?:#(\d+) )?(.*)$/.exec(cleanLine(line)) ?? [];
  return { vertex, says };
}

/** `4/9 RUN …` from docker's old builder, podman, or BuildKit. */
function readStep({ vertex, says }: Readonly<{ vertex: string; says: string }>): string | undefined {
  const shape = vertex === '' ? /^step (\d+\/\d+) ?: (.*)$/i : /^\[(?:\S+ +)?(\d+\/\d+)\] (.*)$/;
  const [, place, what] = shape.exec(says) ?? [];
  return place === undefined ? undefined : `${place} ${what}`;
}

/** Only running a program takes long; pulling a base image is announced before. */
function isLong(step: string): boolean {
  return /^\S+ RUN\s/i.test(step);
}

function isFromCache(says: string): boolean {
  return /^(?:CACHED| ?-+> Using cache)/.test(says);
}

function formatStep(step: string): string {
  const [place = '', ...words] = step.replaceAll(/\s+/g, ' ').trim().split(' ');
  return isSetup(step) ? `${place} sandbox.setup` : cut(`${place} ${words.join(' ')}`);
}

function isSetup(step: string): boolean {
  return step.includes(JSON.stringify(setupShell).slice(0, -1));
}

export function cleanLine(line: string): string {
  return stripVTControlCharacters(line).trimEnd();
}

export type FailedBuild = Readonly<{
  lines: readonly string[];
  /** From `BuildReader.latest`. */
  step?: string | undefined;
}>;

/** Why a build failed, in one line; undefined if it said nothing. `remedy`: what may help, if known. */
export function judgeFailedBuild({ lines, step }: FailedBuild): Readonly<{ why?: string; remedy?: string }> {
  const said = lines.map(sayOf).filter((line) => line !== '');
  const verdict = said.findLastIndex((line) => line.startsWith("The command '"));
  const last = (verdict === -1 ? said : said.slice(0, verdict)).slice(-60);
  const own = last.filter((line) => !isWrapped(line));
  const told =
    own.findLast((line) => /error|cannot|denied|fail|unable|not found|toomany/i.test(line)) ?? own.at(-1);
  // The setup's shell traces its commands.
  const command = step?.endsWith('sandbox.setup') ? last.findLast((line) => /^\++ /.test(line)) : undefined;
  const where = command === undefined ? step : `sandbox.setup, at ${cut(command.replace(/^\++ /, ''))}`;
  const why = told && shorten(told, 300);
  const remedy = remedies.find(([shape]) => last.some((line) => shape.test(line)))?.[1];
  return {
    ...(why === undefined ? {} : { why: where === undefined ? why : `${why} (${where})` }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** A line without the time that BuildKit puts before a program's output. */
function sayOf(line: string): string {
  return splitVertex(line)
    .says.replace(/^\d+\.\d+ /, '')
    .trim();
}

/** A builder's message about a program's failure, after the program's own words. */
function isWrapped(line: string): boolean {
  return /did not complete successfully|^-+$|^>|\d+ \| |^\++ |^Removing intermediate|exit status|^[\w.]*dockerfile[\w.]*:\d/i.test(
    line,
  );
}

const noNetwork =
  'If the build has no network, build the image yourself with --network host, and name it in sandbox.image (docker/README.md).';

const remedies = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)|certificate verify failed|self[- ]signed certificate|unable to get local issuer/i,
    'If a company’s proxy uses its own certificate, name it in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /temporary failure|could(?: not|n.t) resolve|EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|network is unreachable|connection timed out|i\/o timeout|no such host/i,
    noNetwork,
  ],
] as const;

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
