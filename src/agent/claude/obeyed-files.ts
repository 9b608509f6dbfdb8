// What Claude Code (2.1) obeys in a repository it is started in, and how that is described to the person who is asked to
// trust it.
import type { ObeyedFiles, SettingsKeys } from '../obeyed-files.ts';

/** Top-level keys of its settings that run, allow or redirect something. */
const settingsKeys: SettingsKeys = {
  hooks: ['runs', 'runs commands at events'],
  mcpServers: ['runs', 'starts or contacts MCP servers'],
  apiKeyHelper: ['runs', 'runs a command for the API key'],
  awsAuthRefresh: ['runs', 'runs a command for AWS credentials'],
  awsCredentialExport: ['runs', 'runs a command for AWS credentials'],
  gcpAuthRefresh: ['runs', 'runs a command for Google credentials'],
  otelHeadersHelper: ['runs', 'runs a command for telemetry headers'],
  statusLine: ['runs', 'runs a command for the status line'],
  fileSuggestion: ['runs', 'runs a command for file suggestions'],
  env: ['runs', 'sets variables of the agent (an address here gets your key)'],
  permissions: ['loosens', 'changes what the agent may do'],
  enableAllProjectMcpServers: ['runs', 'starts the MCP servers of .mcp.json without asking'],
  enabledMcpjsonServers: ['runs', 'starts MCP servers of .mcp.json without asking'],
  enabledPlugins: ['runs', 'loads plugins'],
  extraKnownMarketplaces: ['runs', 'loads plugins from elsewhere'],
  sandbox: ['loosens', 'changes the agent’s sandbox'],
  model: ['plain', 'chooses the model'],
};

export const claudeFiles: ObeyedFiles = {
  names: ['.claude', '.mcp.json'],
  // Whole checkouts (`--worktree`): a session in one has its own root and its own consent.
  skips: ['.claude/worktrees'],
  nested: { folder: '.claude', names: ['skills', 'commands'] },
  guides: ['CLAUDE.md', '.claude/CLAUDE.md'],
  describe: (file) => {
    if (/^\.mcp\.json$|^\.claude\/[^/]*\.json$/.test(file)) return { keys: settingsKeys };
    if (file.startsWith('.claude/agents/')) return { text: 'a sub-agent: its instructions and tools' };
    if (/(?:^|\/)\.claude\/commands\//.test(file))
      return { text: 'a command: instructions an agent can follow' };
    if (/(?:^|\/)\.claude\/skills\//.test(file)) return { text: 'part of a skill: instructions and scripts' };
    return undefined;
  },
};
