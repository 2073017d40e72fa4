import { spawnSync } from 'node:child_process';

/** Words of a command line, unquoted as a shell does. */
export const shellWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

/** Arguments that a shell passes to the program of a command line. */
export function shellArguments(line: string): readonly string[] {
  const [program = ''] = /^\S+/.exec(line) ?? [];
  const { stdout, status } = spawnSync('sh', ['-c', `${program}() { printf '%s\\0' "$@"; }\n${line}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the shell ended with ${status}: ${line}`);
  return stdout.split('\0').slice(0, -1);
}

const optionValues = (words: readonly string[], flag: string): readonly string[] =>
  words.filter((_, at) => words[at - 1] === flag);

/** Sends the request that a curl command would send. */
export async function fetchLikeCurl(command: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const words = shellArguments(command);
  const headers = optionValues(words, '--header').map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  const [[method = ''], [body]] = [optionValues(words, '--request'), optionValues(words, '--data-raw')];
  const response = await fetch(words.at(-1) ?? '', { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: await response.json() };
}
