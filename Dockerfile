# Node 24 is the LTS release; the service runs on any from 20.19.
# Builds the service, with a compiler at hand for the platforms better-sqlite3 has no binary for.
FROM node:24-slim AS build
WORKDIR /app
RUN apt-get update \
  && apt-get install --yes --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY docs ./docs
COPY README.md ./
COPY scripts/bundle.js scripts/native.js scripts/build-when-changed.js ./scripts/
RUN npm run build

# Runs it: no compiler, no sources, no root, and of all packages only the two with native code, as the others are in dist
# (their licences too, in licenses.txt).
FROM node:24-slim
LABEL org.opencontainers.image.title="Form Collection Service" \
  org.opencontainers.image.description="A self-hosted form backend: point any HTML form at it, never lose a submission." \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/node_modules/@node-rs ./node_modules/@node-rs
COPY --from=build /app/node_modules/bindings ./node_modules/bindings
COPY --from=build /app/node_modules/file-uri-to-path ./node_modules/file-uri-to-path
COPY --from=build /app/node_modules/better-sqlite3/package.json /app/node_modules/better-sqlite3/LICENSE ./node_modules/better-sqlite3/
COPY --from=build /app/node_modules/better-sqlite3/lib ./node_modules/better-sqlite3/lib
COPY --from=build /app/node_modules/better-sqlite3/build/Release/better_sqlite3.node ./node_modules/better-sqlite3/build/Release/
COPY --from=build /app/dist ./dist
COPY package.json openapi.json ./
COPY scripts/health-check.js scripts/start-in-container.sh ./
# A named volume takes its owner from the folder of the image.
RUN install --directory --owner=node --group=node /data /backups \
  && ln -s /app/dist/cli/main.js /usr/local/bin/form-collection-service
# Some platforms give a volume to root alone: RUN_AS=root lets the start hand it over, and drop root.
ARG RUN_AS=node
USER ${RUN_AS}
# Without VOLUME, which some platforms refuse: mount one on /data.
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
  CMD ["node", "health-check.js"]
ENTRYPOINT ["sh", "/app/start-in-container.sh"]
CMD ["node", "--v8-pool-size=1", "dist/main.js"]
