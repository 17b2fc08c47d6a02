/** Refuses docstrings that begin with a clause, such as "What a form shows", and comments that say "those" with "of". */
const docstrings = {
  create: (context) => ({
    Program() {
      for (const { type, value, loc } of context.sourceCode.getAllComments()) {
        if (/\bthose\s+(?:\*\s+)?of\b/i.test(value)) {
          context.report({ loc, message: 'Name the things in place of "those of".' });
        }
        if (type === 'Block' && /^\*[\s*]*(?:What|Whoever|Who|Of|To|That)\b/.test(value)) {
          const message = 'Begin with a verb, such as "Returns", or name the thing.';
          context.report({ loc, message });
        }
      }
    },
  }),
};

/** Asks for `import type` where only types are used; not beside decorators, to whom the types of parameters are values. */
const typeImports = {
  create(context) {
    const imports = [];
    let isDecorated = false;
    return {
      Decorator: () => (isDecorated = true),
      ImportDeclaration: (node) => imports.push(node),
      'Program:exit'() {
        if (isDecorated) return;
        for (const node of imports.filter(({ importKind }) => importKind !== 'type')) {
          for (const { name, defs, references } of context.sourceCode.getDeclaredVariables(node)) {
            const isType = references.length > 0 && references.every((each) => each.isTypeReference);
            if (!isType || defs[0].node.importKind === 'type') continue;
            context.report({ node: defs[0].node, message: `Import the type ${name} with \`type\`.` });
          }
        }
      },
    };
  },
};

/** Most arguments of a constructor: a class that needs more has two stories. */
const ARGUMENTS_MAX = 9;

/** Refuses constructors with too many arguments. */
const constructorArguments = {
  create: (context) => ({
    MethodDefinition(node) {
      if (node.kind !== 'constructor') return;
      const name = node.parent.parent.id?.name;
      const count = node.value.params.length;
      if (count > ARGUMENTS_MAX) {
        const message = `Give ${name} at most ${ARGUMENTS_MAX} arguments, not ${count}: split what it tells.`;
        context.report({ node, message });
      }
    },
  }),
};

export default {
  meta: { name: 'own' },
  rules: { 'constructor-arguments': constructorArguments, docstrings, 'type-imports': typeImports },
};
