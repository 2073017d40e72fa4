import { expect, test } from 'vitest';
import { OptionError } from '../../carrier/options.ts';
import { parseAlteredOptions } from './altered-carrier.ts';

const options = { registrations: {}, clock: 'virtual' };

test('options from another thread are read strictly', () => {
  const given = { ...options, faults: ['answers-302'] };
  expect(parseAlteredOptions(given)).toEqual(given);
  expect(parseAlteredOptions(options)).toEqual({ ...options, faults: [] });
  for (const faults of [[7], 'answers-302']) {
    expect(() => parseAlteredOptions({ ...options, faults })).toThrow(
      new OptionError('faults must be a list of names'),
    );
  }
  expect(() => parseAlteredOptions(7)).toThrow(new OptionError('must be an object'));
});
