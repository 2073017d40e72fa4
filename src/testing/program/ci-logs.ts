/** Lines that each CI's log reader would act on; written independently of the code under test. */
const logReaders: Readonly<Record<string, (line: string) => boolean>> = {
  // ActionCommand.cs of actions/runner: TryParseV2 trims the line, TryParse looks anywhere in it.
  GitHub: (line) => /^::.*::/.test(line.trimStart()) || line.includes('##['),
  // Command.cs of azure-pipelines-agent looks anywhere; WorkerCommandManager.cs makes a warning of "##vso" without a bracket.
  Azure: (line) => line.includes('##vso') || line.includes('##['),
  TeamCity: (line) => line.includes('##teamcity['),
  Buildkite: (line) => /^(?:(?:---|\+\+\+|~~~)\s|\^\^\^ \+\+\+)/.test(line),
  // oxlint-disable-next-line no-control-regex -- GitLab's markers contain control characters
  GitLab: (line) => /section_(?:start|end):\d+:[\w.-]+(?:\[[^\]]*\])?\r\u001b\[0K/.test(line),
  Jenkins: (line) => line.includes('\u001b[8mha:'),
};

/** One command of each kind, as a carrier may send it. */
export const logCommands: Readonly<Record<string, string>> = {
  'a mask of GitHub': '::add-mask::fail',
  'the end of commands of GitHub': '::stop-commands::token',
  'an annotation of GitHub': '::error file=x.ts,line=1,title=owned::owned',
  'an old command of GitHub, a style of Azure': '##[error]owned',
  'a variable of Azure': '##vso[task.setvariable variable=PATH]/owned',
  'the end of a task of Azure': '##vso[task.complete result=Succeeded;]',
  'a keyword of Azure': '##vso',
  'a message of TeamCity': "##teamcity[buildStatus status='SUCCESS']",
  'a group of Buildkite': '--- owned',
  'an open group of Buildkite': '+++ owned',
  'a faint group of Buildkite': '~~~ owned',
  'the opening of a group of Buildkite': '^^^ +++',
  'a section of GitLab': '\u001b[0Ksection_start:1700000000:owned[collapsed=true]\r\u001b[0Kowned',
  'the end of a section of GitLab': 'section_end:1700000000:owned\r\u001b[0K',
  'a note of Jenkins': '\u001b[8mha:////4AAA=\u001b[0mowned',
};

/** Fillers that move a text to the beginning of a line, wherever lines are wrapped. */
const filler = (command: string): string =>
  Array.from({ length: 12 }, (_, at) => `${'x'.repeat(1 + ((at * 7) % 23))} ${command}`).join(' ');

/** The command at every position: alone, after a line feed, after blanks, inside a line, and where a line is wrapped. */
export const placeEverywhere = (command: string): string => `${command}\n${command}\n   ${command} ${filler(command)}`;

// oxlint-disable-next-line no-control-regex -- colours
const colours = /\u001b\[\d+(?:;\d+)*m/g;

/** Lines of a log that a reader acts on, each with the reader's name; checked with and without colours. */
export function findCommands(text: string): readonly string[] {
  return text.split('\n').flatMap((line) =>
    Object.entries(logReaders)
      .filter(([, acts]) => acts(line) || acts(line.replaceAll(colours, '')))
      .map(([name]) => `${name}: ${line}`),
  );
}
