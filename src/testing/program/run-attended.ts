import { PassThrough } from 'node:stream';
import { main } from '../../cli/main.ts';
import type { Invocation } from '../../cli/shared/command.ts';

interface AttendedRun {
  readonly code: number;
  /** Both output streams, interleaved. */
  readonly shown: string;
  /** Questions in order, without their numbers. */
  readonly asked: readonly string[];
}

/** Runs the whole program with a person at its terminal: `response` does what is asked and returns what to type. */
export async function runAttended(
  { argv, env }: Pick<Invocation, 'argv' | 'env'>,
  response: (question: string) => string | Promise<string>,
): Promise<AttendedRun> {
  const terminal = { isTTY: true };
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const asked: string[] = [];
  let shown = '';
  for (const stream of [stdout, stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      const questions = [...shown.matchAll(/^Task \d+ of \d+: (.*)\n/gm)].map(([, description = '']) => description);
      for (const question of questions.slice(asked.length)) {
        asked.push(question);
        // A person responds only once the question is on the screen.
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
