import { beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { shellWords } from '../../testing/program/shell-words.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { startCarrier, writeFolder, writeTarget } from '../../testing/program/target-file.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const callback = { auth_req_id: 'ccid-1', access_token: 'x', token_type: 'Bearer', expires_in: 1800 };

async function examplesOf(command: string): Promise<readonly (readonly string[])[]> {
  const { code, stdout } = await runCli([command, '--help']);
  expect(code).toBe(0);
  const [, examples = ''] = /\nExamples:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  return examples
    .trim()
    .split('\n')
    .map((line) => shellWords(line).slice(1));
}

let cwd = '';
beforeAll(() => {
  cwd = writeFolder({
    'callback.json': JSON.stringify(callback),
    'keys.json': '{"keys":[]}',
    'exchange.txt': `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(callback)}`,
    'capture.har': '{"log":{"entries":[]}}',
    'request.jwt': `${part({ alg: 'RS256' })}.${part({ response_type: 'async_token' })}.c2ln`,
  });
});

describe('the examples of --help', () => {
  test.each([
    ['send', 11, [0]],
    ['decode', 5, [0, 1]],
    ['measure', 3, [0]],
  ])('%s: each does what it says', { timeout: 120_000 }, async (command, count, codes) => {
    const examples = await examplesOf(command);
    expect(examples).toHaveLength(count);
    for (const example of examples) {
      expect(example[0]).toBe(command);
      const { code, stdout, stderr } = await runCli(example, { cwd, timeLimit: 60_000 });
      expect(codes, `${example.join(' ')}\n${stderr}`).toContain(code);
      expect(stdout).not.toBe('');
      if (example.includes('--json')) expect(parseJson(stdout)).toBeDefined();
    }
  });

  test('listen: each listens', { timeout: 60_000 }, async () => {
    const carrier = await startCarrier(['--clock', 'virtual']);
    const target = writeTarget((given) => given);
    const examples = await examplesOf('listen');
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const args = example.map((word) => (word === 'carrier.yaml' ? target : word));
      const running = startCli(args, { env: carrier.env });
      await running.stderr(/^listening on /m);
      running.interrupt();
      expect((await running.ended).code).toBe(0);
    }
  });
});
