// GitHub, by gh: pull requests, check runs and commit statuses. REST API of 2022-11-28.
import { z } from 'zod';
import {
  type CiAttempt,
  type CiCalls,
  type CiJob,
  type Forge,
  lastAttempts,
  logBytes,
  type RequestCalls,
} from './forge.ts';
import { commentsOfGitHub } from './github-comments.ts';
import { createApi, type ForgeApi, type ForgeTools } from './program.ts';

export function createGitHub(tools: ForgeTools): Forge {
  const api = createApi('gh', tools, (path) => `repos/${path ?? '{owner}/{repo}'}`);
  return { program: 'gh', noun: 'pull request', ...requestsOf(api), ...ciOf(api), ...commentsOfGitHub(api) };
}

function requestsOf({ json }: ForgeApi): RequestCalls {
  const project = async () => projectSchema.parse(await json({ path: '' }));
  return {
    project: async () => {
      const { full_name: name, default_branch: defaultBranch, permissions } = await project();
      return { name, defaultBranch, mayPush: permissions?.push };
    },
    find: async (branch) => {
      const { full_name: name } = await project();
      const head = encodeURIComponent(`${name.split('/', 1)[0]}:${branch}`);
      const [found] = pullSchema.array().parse(await json({ path: `/pulls?state=open&head=${head}` }));
      return found;
    },
    open: async (branch, { title, text, target, draft }) => {
      const body = { head: branch, base: target, title, body: text, draft };
      return pullSchema.parse(await json({ method: 'POST', does: 'open', path: '/pulls', body }));
    },
    update: async (number, { text, target }) => {
      const body = { body: text, base: target };
      await json({ method: 'PATCH', does: 'update', path: `/pulls/${number}`, body });
    },
    ready: async ({ number }) => {
      // REST cannot do it.
      const { node_id: id } = pullSchema.parse(await json({ path: `/pulls/${number}` }));
      const body = { query: readyMutation, variables: { id } };
      await json({ method: 'POST', does: 'ready', path: 'graphql', body, elsewhere: true });
    },
  };
}

const readyMutation =
  'mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }';

function ciOf({ json, text, pages, tools }: ForgeApi): CiCalls {
  return {
    checks: async (ref) => {
      const commit = `/commits/${encodeURIComponent(ref)}`;
      const runs = await pages(`${commit}/check-runs?filter=all`, runsSchema);
      const { statuses } = statusesSchema.parse(await json({ path: `${commit}/status?per_page=100` }));
      // A run in CI waits neither for its own job nor for later ones.
      const own = tools.env['GITHUB_ACTIONS'] === 'true' ? tools.env['GITHUB_RUN_ID'] : undefined;
      const isOthers = ({ url }: CiJob) => own === undefined || !url.includes(`/actions/runs/${own}/`);
      return lastAttempts([...runs, ...statuses]).filter(isOthers);
    },
    failedLog: async ({ id, summary }) =>
      summary ?? uptoError(await text({ path: `/actions/jobs/${id}/logs`, tailBytes: logBytes })),
  };
}

const projectSchema = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  permissions: z.object({ push: z.boolean() }).optional(),
});

const pullSchema = z
  .object({
    number: z.number(),
    node_id: z.string(),
    html_url: z.string(),
    title: z.string(),
    draft: z.boolean().default(false),
    base: z.object({ ref: z.string() }),
  })
  .transform(({ html_url: url, base: { ref: target }, ...pull }) => ({ ...pull, url, target }));

const runSchema = z
  .object({
    id: z.number(),
    name: z.string(),
    status: z.string(),
    conclusion: z.string().nullable(),
    html_url: z.string().nullish(),
    details_url: z.string().nullish(),
    output: z.object({ title: z.string().nullish(), summary: z.string().nullish() }).nullish(),
    check_suite: z.object({ id: z.number() }).nullish(),
    app: z.object({ slug: z.string().nullish() }).nullish(),
  })
  .transform(({ id, name, output, app, ...run }): CiAttempt => {
    const url = run.html_url ?? run.details_url ?? '';
    const words = [output?.title, output?.summary].filter(Boolean).join('\n\n');
    const summary = app?.slug === 'github-actions' ? {} : { summary: words };
    const job = { id: String(id), name, state: stateOf(run), url, ...summary };
    return { job, key: `${run.check_suite?.id ?? ''} ${name}`, at: id };
  });

const runsSchema = z.object({ check_runs: z.array(runSchema) }).transform((page) => page.check_runs);

const stateOfStatus = { success: 'green', pending: 'pending', failure: 'red', error: 'red' } as const;

const statusSchema = z
  .object({
    id: z.number(),
    context: z.string(),
    state: z.enum(['success', 'pending', 'failure', 'error']),
    target_url: z.string().nullish(),
    description: z.string().nullish(),
  })
  .transform(({ id, context: name, state, target_url: url, description }): CiAttempt => {
    const job = { id: `status-${id}`, name, state: stateOfStatus[state], url: url ?? '' };
    return { job: { ...job, summary: description ?? '' }, key: `status ${name}`, at: id };
  });

const statusesSchema = z.object({ statuses: z.array(statusSchema) });

function stateOf({
  status,
  conclusion,
}: Readonly<{ status: string; conclusion: string | null }>): CiJob['state'] {
  if (status !== 'completed' || conclusion === null) return 'pending';
  switch (conclusion) {
    case 'success':
    case 'neutral':
    case 'skipped':
      return 'green';
    case 'cancelled':
    case 'stale':
      return 'cancelled';
    // A person has to approve it.
    case 'action_required':
      return 'pending';
    default:
      return 'red';
  }
}

/** Cut after the step that failed: later ones save caches and end containers. */
function uptoError(log: string): string {
  const lines = log.split('\n');
  const last = lines.findLastIndex((line) => line.includes('##[error]'));
  return last < 0 ? log : lines.slice(0, last + 1).join('\n');
}
