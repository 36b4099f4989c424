# docker build -t usher .
# docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/usher --push .
ARG NODE=node:24.21.0-trixie-slim

# What it makes does not depend on the processor, so it is built on that of this machine.
FROM --platform=$BUILDPLATFORM $NODE AS build
WORKDIR /usher
COPY package.json package-lock.json tsconfig.json LICENSE ./
COPY domain/package.json domain/
COPY server/package.json server/
COPY script/package.json script/
COPY dashboard/package.json dashboard/
COPY client/package.json client/
COPY bench/package.json bench/
COPY reliability/package.json reliability/
COPY playwright/package.json playwright/
RUN npm ci --omit=dev --no-audit --no-fund
COPY domain domain
COPY server server
COPY script script
COPY dashboard dashboard
COPY examples examples
COPY scripts/build.mjs scripts/
RUN node scripts/build.mjs && rm -f server/dist/*.map

# Packages that are not in the bundle of the server, because they have native parts or look for their own files.
FROM $NODE AS packages
WORKDIR /usher
COPY package.json package-lock.json ./
COPY domain/package.json domain/
COPY server/package.json server/
RUN npm ci --omit=dev --workspace @usher/server --no-audit --no-fund && \
    rm -rf node_modules/@usher node_modules/playwright-core node_modules/esbuild node_modules/@esbuild node_modules/kysely node_modules/marked node_modules/typebox \
      node_modules/@libsql/*-musl

# Backups of PostgreSQL up to 17 need pg_dump. The package depends on Perl, which only its wrappers use.
FROM $NODE AS postgres
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17

FROM $NODE
ARG VERSION=1.0.0
LABEL org.opencontainers.image.title="Usher" \
      org.opencontainers.image.description="Guided tours, surveys and launchers for your product" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION"
# A volume that is created from the image gets the owner of these folders. Automatic backups need the mark.
RUN install -d -o node -g node -m 700 /data /backups && install -o node -g node -m 600 /dev/null /backups/.usher-backups && \
    apt-get update && apt-get install -y --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/*
COPY --from=postgres /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
WORKDIR /usher
COPY LICENSE ./
COPY deploy/docker/healthcheck.mjs ./
COPY --chmod=755 deploy/docker/usher /usr/local/bin/
COPY --from=packages /usher/node_modules node_modules
COPY docs docs
COPY client/README.md client/
COPY examples/as-code examples/as-code
COPY examples/check-in-ci examples/check-in-ci
COPY --from=build /usher/examples/demo examples/demo
COPY --from=build /usher/script/dist script/dist
COPY --from=build /usher/dashboard/dist/app dashboard/dist/app
COPY --from=build /usher/server/package.json server/
COPY --from=build /usher/server/dist server/dist

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3400 USHER_HTTP_PORT=3480 USHER_DATA=/data
USER node
VOLUME /data
EXPOSE 3400 3480
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/usher/healthcheck.mjs"]
ENTRYPOINT ["node", "--min-semi-space-size=8", "--v8-pool-size=1", "/usher/server/dist/main.js"]
CMD ["serve"]
