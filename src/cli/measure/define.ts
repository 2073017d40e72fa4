import { defineCommand } from '../shared/command.ts';
import { carrierFlags, json } from '../shared/flags.ts';
import { texts } from '../shared/inputs.ts';

export const measureDefinition = defineCommand({
  name: 'measure',
  summary: "find the carrier's real limits, and what it does where the interface is open",
  description:
    'Finds by bisection and by ladders of probes where the carrier really stops: lengths, ages, windows, each with its uncertainty; and records what it does where the interface leaves it open. No rule is judged.',
  args: { names: texts('[name...]', 'names or globs of limits and of entries of the profile; without any, all') },
  flags: { ...carrierFlags, json },
  examples: ['', 'iat-age "context*"', 'jti-window --json'],
});
