import { defineCommand } from '../shared/command.ts';
import { mandatory, text, texts } from '../shared/inputs.ts';

export const certifyDefinition = defineCommand({
  name: 'certify',
  summary: 'sign what a run has found',
  description:
    'Signs a certificate (a JWS) of a result.json: its digest, the outcome, the verdict of every rule, what is informational, and what was not judged and why. Refuses what is incomplete, what was cut off, a virtual clock unless the target is declared a test carrier, and suites that do not ship unless they are named. Exit code 0 says that it was written, whatever outcome it certifies.',
  args: { file: mandatory('<result>', 'the result.json of a run') },
  flags: {
    key: mandatory('--key <file>', 'the private JWK to sign with: RSA of 2048 bits or more, EC P-256 or Ed25519'),
    out: text('--out <file>', 'where the certificate goes; default certificate.jws beside the result'),
    badge: text('--badge <file>', 'a badge as SVG'),
    suites: texts('--suites <dir>', 'a further folder of suites that the run used: an addition, and named as one'),
  },
  examples: [
    'carrierspec-report/result.json --key private.jwk.json',
    'carrierspec-report/result.json --key private.jwk.json --out carrier.jws --badge carrier.svg',
  ],
});
