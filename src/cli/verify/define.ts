import { defineCommand } from '../shared/command.ts';
import { mandatory, text } from '../shared/inputs.ts';

export const verifyDefinition = defineCommand({
  name: 'verify',
  summary: 'check a certificate, and say what it certifies and what it does not',
  description:
    'Checks a certificate with the public key of its signer, and with a result that it is of this file, byte for byte. Works offline. Exit code 0: valid, and the outcome it certifies is printed; 1: not valid, or not of this result.',
  args: {
    file: mandatory('<certificate>', 'the file that certify wrote'),
    result: text('[result]', 'the result.json it should be of'),
  },
  flags: { key: mandatory('--key <file>', 'the public JWK of the signer, or a JWK Set that has it') },
  examples: [
    'certificate.jws --key public.jwk.json',
    'certificate.jws carrierspec-report/result.json --key public.jwk.json',
  ],
});
