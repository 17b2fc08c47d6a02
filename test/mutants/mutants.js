import access from './access.js';
import deliveries from './deliveries.js';
import people from './people.js';
import platform from './platform.js';
import submissions from './submissions.js';
import visitors from './visitors.js';
import watch from './watch.js';

/**
 * Says how each rule is broken: `find`, which stands once in `file`, becomes `put`. `near` names the
 * tests that should notice: project, the name of their file, and perhaps words of their names.
 */
export const mutants = [...access, ...people, ...submissions, ...visitors, ...watch, ...deliveries, ...platform];
