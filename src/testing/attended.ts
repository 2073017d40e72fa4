import { PassThrough } from 'node:stream';
import { main } from '../cli/main.ts';
import type { Invocation } from '../cli/shared/command.ts';

interface Attended {
  readonly code: number;
  /** Both streams, as they came. */
  readonly shown: string;
  /** What was asked, in order, without its number. */
  readonly asked: readonly string[];
}

/** The whole program, with somebody at its terminal: `answer` does what it is asked and gives what to type. */
export async function runAttended(
  { argv, env }: Pick<Invocation, 'argv' | 'env'>,
  response: (question: string) => string | Promise<string>,
): Promise<Attended> {
  const terminal = { isTTY: true };
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const asked: string[] = [];
  let shown = '';
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      const questions = [...shown.matchAll(/^Question \d+: (.*)\n/gm)].map(([, description = '']) => description);
      for (const question of questions.slice(asked.length)) {
        asked.push(question);
        // A person answers what can be read, not what is about to be.
        setTimeout(() => void Promise.resolve(response(question)).then((line) => stdin.write(`${line}\n`)), 300);
      }
    });
  }
  const code = await main({
    argv,
    stdin: Object.assign(stdin, terminal),
    stdout,
    stderr: Object.assign(stderr, terminal),
    env,
    onSignal: () => undefined,
    exitNow: () => undefined,
  });
  return { code, shown, asked };
}
