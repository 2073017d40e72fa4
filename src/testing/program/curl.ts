import { spawnSync } from 'node:child_process';

/** Arguments that a shell passes to curl. */
export function curlArguments(command: string): readonly string[] {
  const { stdout, status } = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the shell ended with ${status}: ${command}`);
  return stdout.split('\0').slice(0, -1);
}

const optionValues = (words: readonly string[], flag: string): readonly string[] =>
  words.filter((_, at) => words[at - 1] === flag);

/** Sends the request that curl would send. */
export async function fetchLikeCurl(
  words: readonly string[],
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = optionValues(words, '--header').map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  const [[method = ''], [body]] = [optionValues(words, '--request'), optionValues(words, '--data-raw')];
  const response = await fetch(words.at(-1) ?? '', { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: await response.json() };
}
