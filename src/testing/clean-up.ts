import { afterAll } from 'vitest';
import { cleanUp } from './target-file.ts';

// After each test file, and not in each: a test that fails leaves nothing behind either.
afterAll(cleanUp);
