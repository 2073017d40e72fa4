import type { Command } from 'commander';
import { collect } from '../report/define.ts';
import type { Invocation } from '../shared/invocation.ts';

/** What comes before the first run against a carrier. */
export function defineTarget(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('init')
    .summary('begin with a carrier: a target file to fill in, keys, and what to register')
    .description(
      'Writes carrier.yaml with every setting explained, and a key for each client; prints the public keys and the URIs to register with the carrier. Overwrites nothing.',
    )
    .argument('[dir]', 'folder to write into', '.')
    .option('--carrier <name>', 'name of the carrier, as reports show it', 'Carrier under test')
    .option('--mccmnc <code>', 'carrier code of the subscribers', '001010')
    .option('--issuer <url>', 'discovery issuer; without it, from the environment')
    .option('--receiver <url>', 'URL under which the carrier reaches the receiver', 'http://127.0.0.1:8602')
    .option(
      '--client <role>',
      'a client to begin with: main (default), second, two-keys, privileged, plain, secret-only, disabled',
      collect,
      [],
    )
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec init my-carrier\n  carrierspec init my-carrier --issuer https://discovery.carrier.example --receiver https://sp.example --client main --client second\n',
    )
    .action(async (dir: string, flags: Parameters<typeof import('./init.ts').initCommand>[1]) => {
      const { initCommand } = await import('./init.ts');
      end(await initCommand(dir, flags, invocation));
    });
  program
    .command('preflight')
    .summary('try a target file out: keys, discovery, endpoints, receiver, one request of each client')
    .description(
      'Tries out what a run needs, in order, and says of each problem whose it is and what to change. Judges nothing. Exit code 0: a run can begin; 2: the configuration has to change; 3: the carrier or the receiver is out of reach.',
    )
    .requiredOption('--target <file>', 'target file of the carrier under test')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--json', 'one JSON document instead of text', false)
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec preflight --target carrier.yaml\n  carrierspec preflight --target carrier.yaml --json\n',
    )
    .action(async (flags: Parameters<typeof import('../preflight/preflight.ts').preflightCommand>[0]) => {
      const { preflightCommand } = await import('../preflight/preflight.ts');
      end(await preflightCommand(flags, invocation));
    });
}
