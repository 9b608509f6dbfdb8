// GitLab, by glab: merge requests, the jobs and statuses of a commit. REST API, version 4.
import { z } from 'zod';
import {
  type AnyComment,
  type CiAttempt,
  type CiCalls,
  type CiJob,
  type Forge,
  lastAttempts,
  listUnanswered,
  logBytes,
  markAnswer,
  type RequestCalls,
} from './forge.ts';
import { createApi, type ForgeApi, type ForgeTools, unlessUnknown } from './program.ts';

export function createGitLab(tools: ForgeTools): Forge {
  const base = (path: string | undefined) =>
    `projects/${path === undefined ? ':fullpath' : encodeURIComponent(path)}`;
  const api = createApi('glab', tools, base);
  return {
    program: 'glab',
    noun: 'merge request',
    ...requestsOf(api),
    ...ciOf(api),
    ...commentsOfGitLab(api),
  };
}

const requests = '/merge_requests';

function requestsOf({ json }: ForgeApi): RequestCalls {
  const put = async (number: number, body: Readonly<Record<string, unknown>>) => {
    await json({ method: 'PUT', does: 'update', path: `${requests}/${number}`, body });
  };
  return {
    project: async () => {
      const found = projectSchema.parse(await json({ path: '' }));
      const { project_access: own, group_access: group } = found.permissions ?? {};
      const levels = [own?.access_level, group?.access_level].filter((level) => level !== undefined);
      const mayPush = levels.length === 0 ? undefined : Math.max(...levels) >= mayPushFrom;
      return { name: found.path_with_namespace, defaultBranch: found.default_branch, mayPush };
    },
    find: async (branch) => {
      const path = `${requests}?state=opened&source_branch=${encodeURIComponent(branch)}`;
      // A fork may have a branch by the same name.
      return requestSchema
        .array()
        .parse(await json({ path }))
        .find((one) => one.source_project_id === one.target_project_id);
    },
    open: async (branch, { title, text, target, draft }) => {
      const named = { title: draft ? `Draft: ${title}` : title, description: text };
      const body = { source_branch: branch, target_branch: target, ...named };
      return requestSchema.parse(await json({ method: 'POST', does: 'open', path: requests, body }));
    },
    update: (number, { text, target }) => put(number, { description: text, target_branch: target }),
    ready: ({ number, title }) => put(number, { title: title.replace(draftForm, '') }),
  };
}

function ciOf({ text, pages, tools }: ForgeApi): CiCalls {
  return {
    checks: async (ref) => {
      const path = `/repository/commits/${encodeURIComponent(ref)}/statuses?all=true`;
      const found = await pages(path, statusSchema.array());
      // A run in CI does not wait for its own job.
      const own = tools.env['GITLAB_CI'] === 'true' ? tools.env['CI_JOB_ID'] : undefined;
      return lastAttempts(found.filter(({ job }) => job.id !== own));
    },
    failedLog: async ({ id, summary }) => summary ?? text({ path: `/jobs/${id}/trace`, tailBytes: logBytes }),
  };
}

const accessSchema = z.object({ access_level: z.number() }).nullish();

const projectSchema = z.object({
  path_with_namespace: z.string(),
  default_branch: z.string(),
  permissions: z.object({ project_access: accessSchema, group_access: accessSchema }).optional(),
});

const requestSchema = z
  .object({
    iid: z.number(),
    web_url: z.string(),
    title: z.string(),
    target_branch: z.string(),
    source_project_id: z.number().nullish(),
    target_project_id: z.number().nullish(),
    draft: z.boolean().default(false),
  })
  .transform(({ iid: number, web_url: url, target_branch: target, ...rest }) => {
    return { ...rest, number, url, target };
  });

const statusSchema = z
  .object({
    id: z.number(),
    name: z.string(),
    status: z.string(),
    allow_failure: z.boolean().nullish(),
    target_url: z.string().nullish(),
    description: z.string().nullish(),
    pipeline_id: z.number().nullish(),
  })
  .transform(({ id, name, status, allow_failure, target_url: url, description, pipeline_id }): CiAttempt => {
    // An outside status has no trace; a job's address ends in its number.
    const isJob = !url || url.endsWith(`/jobs/${id}`);
    const summary = isJob ? {} : { summary: description ?? '' };
    const job = { id: String(id), name, state: stateOf(status, allow_failure === true), url: url ?? '' };
    return { job: { ...job, ...summary }, key: `${pipeline_id ?? ''} ${name}`, at: id };
  });

const draftForm = /^(?:\s*(?:\[draft\]|\(draft\)|draft:)\s*)+/i;

function stateOf(status: string, isAllowed: boolean): CiJob['state'] {
  switch (status) {
    case 'success':
    case 'skipped':
    // A person may never want it.
    case 'manual':
      return 'green';
    case 'failed':
      return isAllowed ? 'green' : 'red';
    case 'canceled':
      return isAllowed ? 'green' : 'cancelled';
    default:
      return 'pending';
  }
}

/** A developer's access level. */
const mayPushFrom = 30;

function commentsOfGitLab(api: ForgeApi): Pick<Forge, 'comments' | 'answer'> {
  const { json, pages } = api;
  return {
    comments: async (number) => {
      const path = `/merge_requests/${number}/discussions`;
      const found = await pages(path, discussionSchema.array());
      const notes = found.flatMap(({ id: thread, notes }) => notes.map((note) => ({ ...note, thread })));
      const comments = notes
        .filter(({ system, resolved }) => !system && !resolved)
        .map(({ thread, id, author, position, created_at: at, body: text }): AnyComment<number> => {
          const { new_path: file, new_line: line } = position ?? {};
          const who = { author: author.username, key: author.id, isBot: author.bot ?? false };
          return { id: `${thread}-${id}`, at, text, ...who, ...(file ? { file, line: line ?? 0 } : {}) };
        });
      return listUnanswered(comments, (id) => hasWriteAccess(api, id));
    },
    answer: async (number, comment, { text, resolve }) => {
      const thread = `/merge_requests/${number}/discussions/${comment.id.split('-', 1)[0]}`;
      const body = { body: markAnswer(comment, text) };
      await json({ method: 'POST', does: 'answer', path: `${thread}/notes`, body });
      // Only threads about a line can be resolved.
      if (resolve && comment.file !== undefined)
        await json({ method: 'PUT', does: 'resolve', path: thread, body: { resolved: true } });
    },
  };
}

const discussionSchema = z.object({
  id: z.string(),
  notes: z.array(
    z.object({
      id: z.number(),
      body: z.string(),
      system: z.boolean(),
      resolved: z.boolean().optional(),
      created_at: z.string(),
      author: z.object({ id: z.number(), username: z.string(), bot: z.boolean().optional() }),
      position: z.object({ new_path: z.string().nullish(), new_line: z.number().nullish() }).nullish(),
    }),
  ),
});

async function hasWriteAccess({ json }: ForgeApi, id: number): Promise<boolean> {
  const answer = await json({ path: `/members/all/${id}` }).catch(unlessUnknown);
  return (z.object({ access_level: z.number() }).safeParse(answer).data?.access_level ?? 0) >= mayPushFrom;
}
