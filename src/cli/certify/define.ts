import type { Command } from 'commander';
import type { Invocation } from '../shared/invocation.ts';

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

export type End = (code: number) => void;

function defineCertify(program: Command, invocation: Invocation, end: End): void {
  program
    .command('certify')
    .summary('sign what a run has found')
    .description(
      'Signs a certificate (a JWS) of a result.json: its digest, the outcome, the verdict of every rule, what was recorded, and what was not judged and why. Refuses what is incomplete, what was cut off, a driven clock unless the target is declared a test carrier, and suites that do not ship unless they are named. Exit code 0 says that it was written, whatever outcome it certifies.',
    )
    .argument('<result>', 'the result.json of a run')
    .requiredOption('--key <file>', 'the private JWK to sign with: RSA of 2048 bits or more, EC P-256 or Ed25519')
    .option('--out <file>', 'where the certificate goes; default certificate.jws beside the result')
    .option('--badge <file>', 'a badge as SVG')
    .option(
      '--suites <dir>',
      'a further folder of suites that the run used: an addition, and named as one',
      collect,
      [],
    )
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec certify carrierspec-report/result.json --key private.jwk.json\n  carrierspec certify carrierspec-report/result.json --key private.jwk.json --out carrier.jws --badge carrier.svg\n',
    )
    .action(async (file: string, flags: Parameters<typeof import('./certify.ts').certifyCommand>[1]) => {
      const { certifyCommand } = await import('./certify.ts');
      end(await certifyCommand(file, flags, invocation));
    });
}

function defineVerify(program: Command, invocation: Invocation, end: End): void {
  program
    .command('verify')
    .summary('check a certificate, and say what it certifies and what it does not')
    .description(
      'Checks a certificate with the public key of who signed it, and with a result that it is of this file, byte for byte. Works offline. Exit code 0: valid, and the outcome it certifies is said; 1: not valid, or not of this result.',
    )
    .argument('<certificate>', 'what certify has written')
    .argument('[result]', 'the result.json it should be of')
    .requiredOption('--key <file>', 'the public JWK of who signed it, or a JWK Set that has it')
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec verify certificate.jws --key public.jwk.json\n  carrierspec verify certificate.jws carrierspec-report/result.json --key public.jwk.json\n',
    )
    .action(async (file: string, result: string | undefined, { key }: { key: string }) => {
      const { verifyCommand } = await import('../verify/verify.ts');
      end(await verifyCommand(file, { result, key }, invocation));
    });
}

function defineCompare(program: Command, invocation: Invocation, end: End): void {
  program
    .command('compare')
    .summary('rules by results: how each carrier treats what the interface leaves open')
    .description(
      'Sets results side by side, of several carriers or of one over time: verdicts and recorded values of every rule, then limits and profile of runs that measured, differences first. Refuses results of different rules or suites. Exit code 0 says that the comparison was made, whatever it shows.',
    )
    .argument('<result...>', 'two or more result.json')
    .option('--shared', 'join results of different rules or suites nevertheless, and show only what they share', false)
    .option('--report <format=path>', 'terminal, html, markdown or json; - is stdout', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec compare one/result.json other/result.json\n  carrierspec compare one/result.json other/result.json --report html=compare.html --report json=-\n  carrierspec compare march/result.json june/result.json --shared\n',
    )
    .action(async (files: string[], flags: Parameters<typeof import('../compare/compare.ts').compareCommand>[1]) => {
      const { compareCommand } = await import('../compare/compare.ts');
      end(await compareCommand(files, flags, invocation));
    });
}

/** The commands about results that are there already: certificates and comparisons. */
export function defineCertification(program: Command, invocation: Invocation, end: End): void {
  defineCertify(program, invocation, end);
  defineVerify(program, invocation, end);
  defineCompare(program, invocation, end);
}
