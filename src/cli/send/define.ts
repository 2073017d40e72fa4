import type { Command } from 'commander';
import { collect } from '../report/define.ts';
import type { Invocation } from '../shared/invocation.ts';

type End = (code: number) => void;

/** The flags that choose a carrier, as in `run`. */
function carrierFlags(command: Command): Command {
  return command
    .option('--target <file>', 'target file of the carrier; without it, the embedded reference carrier')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--fault <name>', 'a fault of the embedded reference carrier', collect, []);
}

function defineSend(program: Command, invocation: Invocation, end: End): void {
  carrierFlags(
    program
      .command('send')
      .summary('send one request object and judge what comes of it')
      .description(
        'Signs and sends one request object: the sound one, with the differences that the flags say. A value is JSON where it is JSON, else text, and may hold templates of the suite language.',
      )
      .option('--claim <name=value>', 'set a claim', collect, [])
      .option('--drop <name>', 'leave a claim out', collect, [])
      .option('--header <name=value>', 'set a parameter of the JWT header', collect, [])
      .option('--drop-header <name>', 'leave one out', collect, [])
      .option('--beside <name=value>', 'a member of the body beside request', collect, [])
      .option(
        '--key <name>',
        'another signing key: other (nobody registered it), second, of-second-client, secret, ...',
      )
      .option('--alg <name>', 'another algorithm')
      .option('--tamper <name>', 'a change to the finished JWS, such as payload-byte')
      .option('--raw <file>', 'the text of this file is the whole body')
      .option('--form', 'form encoding instead of JSON', false)
      .option('--client <role>', 'the SP registration that sends', 'main')
      .option('--subscriber <trait>', 'the subscriber who is asked', 'consented')
      .option('--approve', 'the subscriber approves, by the driver of the target', false)
      .option('--deny', 'the subscriber denies', false)
      .option('--wait [duration]', 'wait for the callback: until the request expires, or as long as this'),
  )
    .option('--json', 'one JSON document instead of text', false)
    .addHelpText(
      'after',
      `
Examples:
  carrierspec send --claim context=Approve-order-4711
  carrierspec send --claim "iat={{ now - 6m }}" --drop jti
  carrierspec send --key other --header kid=unknown1
  carrierspec send --approve --wait --json
`,
    )
    .action(async (flags: Parameters<typeof import('./send.ts').sendCommand>[0]) => {
      const { sendCommand } = await import('./send.ts');
      end(await sendCommand(flags, invocation));
    });
}

function defineDecode(program: Command, invocation: Invocation, end: End): void {
  program
    .command('decode')
    .summary('show what a request object, a token or a body is, and the rules it breaks')
    .description(
      'Decodes a compact JWS (request object, id token, event token, client assertion, proof) or a JSON body, and says which rules it breaks as far as it shows them alone. It sends nothing.',
    )
    .argument('[message]', 'the message, @file or the path of a file; without it, or with -, stdin')
    .option('--jwks <file>', 'file or URL of the keys to verify signatures with')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--json', 'one JSON document instead of text', false)
    .addHelpText(
      'after',
      `
Examples:
  carrierspec decode '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}'
  carrierspec decode @callback.json --jwks keys.json
  carrierspec decode request.jwt --json
`,
    )
    .action(
      async (message: string | undefined, flags: Parameters<typeof import('../decode/decode.ts').decodeCommand>[1]) => {
        const { decodeCommand } = await import('../decode/decode.ts');
        end(await decodeCommand(message, flags, invocation));
      },
    );
}

function defineListen(program: Command, invocation: Invocation, end: End): void {
  program
    .command('listen')
    .summary('host the receiver and print every delivery as it comes')
    .description(
      'Hosts the receiver of the target until Ctrl-C, and prints each callback and event as it comes, decoded, with the rules it breaks. Without --target it stands where carrierspec carrier delivers.',
    )
    .option('--target <file>', 'target file whose receiver this is')
    .option('--port <n>', 'another port; 0 takes any')
    .option('--host <address>', 'another address')
    .option('--answer <status>', 'HTTP status of every answer', '200')
    .option('--jwks <file>', 'file or URL of the keys to verify signatures with')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--json', 'a JSON document a line instead of text', false)
    .addHelpText(
      'after',
      `
Examples:
  carrierspec listen
  carrierspec listen --answer 503 --port 8443
  carrierspec listen --target carrier.yaml --json
`,
    )
    .action(async (flags: Parameters<typeof import('../listen/listen.ts').listenCommand>[0]) => {
      const { listenCommand } = await import('../listen/listen.ts');
      end(await listenCommand(flags, invocation));
    });
}

function defineReplay(program: Command, invocation: Invocation, end: End): void {
  carrierFlags(
    program
      .command('replay')
      .summary('run a case of an earlier result again, with fresh signatures, and compare')
      .description(
        'Runs one case again with the flags of the earlier run, prints its report, and says whether it came out as before. The exit code is that of the run.',
      )
      .argument('<case>', 'id of the case')
      .argument('[result]', 'result.json or journal.jsonl of the earlier run; default: that in carrierspec-report'),
  )
    .option('--out <dir>', 'folder of the journal, the result and the reports of the new run', 'carrierspec-replay')
    .option('--json', 'one JSON document instead of the report', false)
    .addHelpText(
      'after',
      `
Examples:
  carrierspec replay iat-far-too-old/24h-old
  carrierspec replay iat-far-too-old/24h-old carrierspec-report/result.json --json
`,
    )
    .action(
      async (
        id: string,
        file: string | undefined,
        flags: Parameters<typeof import('../replay/replay.ts').replayCommand>[2]['flags'],
      ) => {
        const { replayCommand } = await import('../replay/replay.ts');
        end(await replayCommand(id, file, { flags, invocation }));
      },
    );
}

function defineMeasure(program: Command, invocation: Invocation, end: End): void {
  carrierFlags(
    program
      .command('measure')
      .summary("find the carrier's real limits, and what it does where the interface is open")
      .description(
        'Finds by bisection and by ladders of probes where the carrier really stops: lengths, ages, windows, each with its uncertainty; and records what it does where the interface leaves it open. No rule is judged.',
      )
      .argument('[name...]', 'names or globs of limits and of entries of the profile; without any, all'),
  )
    .option('--json', 'one JSON document instead of text', false)
    .addHelpText(
      'after',
      `
Examples:
  carrierspec measure
  carrierspec measure iat-age "context*"
  carrierspec measure jti-window --json
`,
    )
    .action(async (names: string[], flags: Parameters<typeof import('../measure/measure.ts').measureCommand>[1]) => {
      const { measureCommand } = await import('../measure/measure.ts');
      end(await measureCommand(names, flags, invocation));
    });
}

/** What is done beside a whole run: one request, one message, one case, one limit. */
export function defineSpotChecks(program: Command, invocation: Invocation, end: End): void {
  for (const define of [defineSend, defineDecode, defineListen, defineReplay, defineMeasure]) {
    define(program, invocation, end);
  }
}
